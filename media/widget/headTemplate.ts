import { html, nothing, type TemplateResult } from 'lit';
import type { Control, Frame } from '../../src/shared/widgetProtocol';
import { tell } from '../page/host';
import * as glyphs from '../rows/glyphs';

/** A button of the head; what it asks for, the host does. */
const controlTemplate = ({ act, label, glyph }: Control) => html`
  <button
    class="control ${act} ${glyph ?? ''}"
    title=${label}
    aria-label=${label}
    aria-haspopup=${glyph === 'menu' ? 'dialog' : nothing}
    @click=${() => tell({ type: 'widget', act })}
  >
    ${
      glyph === undefined || glyph === 'menu'
        ? html`<bdi>${label}</bdi>${glyph ? html`<span class="twist open">${glyphs.chevron}</span>` : nothing}`
        : html`<span class="twist ${glyph}">${glyphs.chevron}</span>`
    }
  </button>
`;

const controlsTemplate = (controls: readonly Control[]) =>
  controls.length === 0 ? nothing : html`<div class="controls">${controls.map(controlTemplate)}</div>`;

/** One line: what the widget is, the line that adds tasks, and what is shown of them. */
export function headTemplate(
  { heading, aside, controls, layout }: Frame,
  quickAdd: TemplateResult,
  tray: TemplateResult | typeof nothing,
) {
  const picks = controls.filter(({ glyph }) => glyph === 'menu');
  const hasHeading = heading !== undefined || aside !== '';
  return html`
    <div class="top ${layout === 'list' ? 'readable' : ''}">
      ${
        hasHeading
          ? html`<div class="heading">
              ${heading === undefined ? nothing : html`<h1 dir="auto" title=${heading}>${heading}</h1>`}
              ${aside === '' ? nothing : html`<bdi class="aside" title=${aside}>${aside}</bdi>`}
            </div>`
          : nothing
      }
      ${controlsTemplate(controls.filter(control => !picks.includes(control)))} ${quickAdd} ${tray} ${controlsTemplate(picks)}
    </div>
  `;
}
