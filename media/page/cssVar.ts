import { noChange } from 'lit';
import { Directive, directive, type ElementPart } from 'lit/directive.js';

/** Sets custom properties through the CSSOM: the page's policy allows no style attribute. */
class CssVars extends Directive {
  #before: Readonly<Record<string, string>> = {};

  render(_values: Readonly<Record<string, string>>) {
    return noChange;
  }

  override update(part: ElementPart, [values]: [Readonly<Record<string, string>>]) {
    const { style } = part.element as HTMLElement;
    for (const name in this.#before) if (values[name] === undefined) style.removeProperty(name);
    for (const name in values) if (this.#before[name] !== values[name]) style.setProperty(name, values[name]!);
    this.#before = values;
    return noChange;
  }
}

export const cssVars = directive(CssVars);
