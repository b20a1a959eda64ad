import { html, nothing } from 'lit';
import type { Control, Frame } from '../../src/shared/widgetProtocol';
import { tell } from '../page/host';
import * as glyphs from '../rows/glyphs';

const iconOf = (glyph: Control['glyph']) =>
  glyph === 'configure' ? glyphs.sliders : html`<span class="twist ${glyph}">${glyphs.chevron}</span>`;

/** A button of the head or the foot; what it asks for, the host does. */
export const controlTemplate = ({ act, label, glyph }: Control) => html`
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
        : iconOf(glyph)
    }
  </button>
`;

/** Whether the head holds more than the way to the setup, which then stands at the foot. */
export const hasHead = ({ heading, controls }: Frame) => heading !== undefined || controls.length > 1;

export const headTemplate = ({ heading, aside, controls }: Frame) => html`
  <div class="top">
    <div class="heading">
      ${heading === undefined ? nothing : html`<h1 dir="auto" title=${heading}>${heading}</h1>`}
      ${aside === '' ? nothing : html`<bdi class="aside">${aside}</bdi>`}
    </div>
    <div class="controls">${controls.map(controlTemplate)}</div>
  </div>
`;
