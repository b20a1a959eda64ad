import { html, nothing, type TemplateResult } from 'lit';
import { t } from '../../src/shared/l10n';
import type { Control, Frame } from '../../src/shared/widgetProtocol';
import { post } from '../page/hostMessages';
import * as glyphs from '../rows/glyphs';
import { loadTemplate } from '../rows/groupTemplate';

/** A button of the head, whose action runs in the host. */
const controlTemplate = ({ act, label, glyph, isPressed, problem }: Control) => html`
  <button
    class="control ${act} ${glyph ?? ''}"
    tabindex="-1"
    title=${problem === undefined ? label : `${label}\n${problem}`}
    aria-label=${problem === undefined ? label : t('{0}: {1}', label, problem)}
    aria-pressed=${isPressed ?? nothing}
    aria-haspopup=${glyph === 'menu' ? 'dialog' : nothing}
    @click=${() => post({ type: 'widget', act })}
  >
    ${problem === undefined ? nothing : html`<span class="sign">${glyphs.warning}</span>`}
    ${
      glyph === undefined || glyph === 'menu'
        ? html`<bdi>${label}</bdi>${glyph ? html`<span class="twist open">${glyphs.chevron}</span>` : nothing}`
        : html`<span class="twist ${glyph}">${glyphs.chevron}</span>`
    }
  </button>
`;

const controlsTemplate = (controls: readonly Control[]) =>
  controls.length === 0 ? nothing : html`<div class="controls">${controls.map(controlTemplate)}</div>`;

/** The line above the tasks: the heading, Quick Add, and the buttons that choose what is shown. */
export function headTemplate(
  { heading, aside, controls, layout, label, load }: Frame,
  quickAdd: TemplateResult | typeof nothing,
  unscheduledButton: TemplateResult | typeof nothing,
) {
  const picks = controls.filter(({ glyph }) => glyph === 'menu');
  const hasControls = controls.length > 0 || unscheduledButton !== nothing;
  const hasHeading = heading !== undefined || aside !== '';
  return html`
    <div
      class="top ${layout === 'list' ? 'readable' : ''}"
      role=${hasControls ? 'toolbar' : nothing}
      aria-label=${hasControls ? label : nothing}
      @keydown=${onHeadKey}
      @focusin=${(event: FocusEvent) => keepTabStop(event.currentTarget as Element, event.target)}
    >
      ${
        hasHeading
          ? html`<div class="heading">
              ${heading === undefined ? nothing : html`<h1 dir="auto" title=${heading}>${heading}</h1>`}
              ${aside === '' ? nothing : html`<bdi class="aside" title=${aside}>${aside}</bdi>`}
            </div>`
          : nothing
      }
      ${controlsTemplate(controls.filter(control => !picks.includes(control)))} ${quickAdd} ${unscheduledButton} ${controlsTemplate(picks)}
    </div>
    ${loadTemplate({ load })}
  `;
}

const controlsOf = (head: Element) =>
  [...head.querySelectorAll<HTMLElement>('.control')].filter(one => one.getClientRects().length > 0);

/** Makes one of the visible buttons the tab stop: `next`, or else the current one, or else the first. */
export function keepTabStop(head: Element | null, next?: EventTarget | null): void {
  const there = head ? controlsOf(head) : [];
  const stop = there.find(one => one === next) ?? there.find(({ tabIndex }) => tabIndex === 0) ?? there[0];
  for (const one of head?.querySelectorAll<HTMLElement>('.control') ?? []) one.tabIndex = one === stop ? 0 : -1;
}

/** Arrow keys move between the buttons (the toolbar pattern of WAI-ARIA). */
function onHeadKey(event: KeyboardEvent): void {
  const there = controlsOf(event.currentTarget as Element);
  const at = there.indexOf((event.target as Element).closest<HTMLElement>('.control')!);
  if (at < 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const isRtl = getComputedStyle(there[at]!).direction === 'rtl';
  const [forward, back] = isRtl ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft'];
  const to = { [forward!]: at + 1, [back!]: at - 1, Home: 0, End: -1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  there.at(to % there.length)!.focus();
}
