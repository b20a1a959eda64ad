import { noChange } from 'lit';
import { Directive, directive, type ElementPart } from 'lit/directive.js';

/** Sets custom properties through the CSSOM: the page's policy allows no style attribute. */
class CssVars extends Directive {
  render(_values: Readonly<Record<string, string>>) {
    return noChange;
  }

  override update(part: ElementPart, [values]: [Readonly<Record<string, string>>]) {
    const { style } = part.element as HTMLElement;
    for (const [name, value] of Object.entries(values))
      if (style.getPropertyValue(name) !== value) style.setProperty(name, value);
    return noChange;
  }
}

export const cssVars = directive(CssVars);
