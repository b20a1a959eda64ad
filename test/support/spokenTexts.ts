import type { Frame, Page } from 'playwright-core';
import { wordsOf } from '../../scripts/l10n/extract';
import { bundleFile, readWords } from '../../scripts/l10n/faults';

/** The places of Dueline's own words in the workbench; VS Code's stay English, since language packs are not installed. */
const ours = [
  '.pane-header h3',
  '.pane-body .monaco-list-row',
  '.pane-body .welcome-view',
  '.quick-input-widget .monaco-list-row',
  '.quick-input-widget .quick-input-message',
  '.quick-input-widget .quick-input-title',
  '.notification-list-item-message',
  '.notification-list-item-buttons-container',
  '.statusbar-item[id^="dueline"]',
  '.monaco-menu .action-label',
];

/** All of Dueline's texts that the user reads or hears on the screen. */
export async function textsOn(page: Page, more: readonly string[] = []): Promise<string[]> {
  const found = await Promise.all(
    page
      .frames()
      .map(frame =>
        frame === page.mainFrame()
          ? textsIn(frame, [...ours, ...more].join(','))
          : textsIn(frame, 'dueline-widget, dueline-task, body').catch(() => []),
      ),
  );
  return [...new Set(found.flat())];
}

/** The texts that a user reads or hears in the elements of a page. */
export const textsIn = (frame: Frame, within: string): Promise<string[]> =>
  frame.evaluate<string[]>(`(${reader})(${JSON.stringify(within)})`);

/** Runs in the page, which this project's types know nothing of. */
const reader = `selector => {
  const texts = [];
  const add = text => {
    const bare = text?.replace(/[\u2066-\u2069\ue000-\uf8ff]/g, '').replace(/\\s+/g, ' ').trim();
    if (bare) texts.push(bare);
  };
  const walk = node => {
    if (node.nodeType === Node.TEXT_NODE) add(node.textContent);
    if (node instanceof ShadowRoot) node.childNodes.forEach(walk);
    if (!(node instanceof Element)) return;
    if (/^(SCRIPT|STYLE)$/.test(node.tagName) || !node.checkVisibility()) return;
    if (node.matches('.monaco-keybinding')) return; // the editor has names of its own for keys
    for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description']) add(node.getAttribute(name));
    if (node.shadowRoot) walk(node.shadowRoot);
    node.childNodes.forEach(walk);
  };
  for (const element of document.querySelectorAll(selector)) walk(element);
  return texts;
}`;

/**
 * Finds Dueline's texts that are in English though the locale has words of its own.
 * @param locale as the files of words are named: `de`, `pt-br` …
 */
export function englishFinder(locale: string): (texts: readonly string[]) => string[] {
  const own = { ...readWords(bundleFile(locale)) };
  const manifest = readWords(`package.nls.${locale}.json`);
  const pairs: (readonly [english: string, local: string])[] = [
    ...[...wordsOf().keys()].map(english => [english, own[english] ?? english] as const),
    ...Object.entries(readWords('package.nls.json')).map(
      ([key, english]) => [english, manifest[key] ?? english] as const,
    ),
  ];
  const locals = new Set(pairs.map(([, local]) => local));
  const foreign = pairs
    .filter(([english, local]) => english !== local && !locals.has(english))
    .map(([english]) => english);
  const whole = new Set(foreign.filter(english => !/\{\d\}/.test(english)));
  // “{0}, {1}” has no language: a template counts if it has two words of its own.
  const templates = foreign
    .filter(english => /\{\d\}/.test(english) && /[a-z]{2,}.*[^a-z][a-z]{2,}/i.test(english.replace(/\{\d\}/g, ' ')))
    .map(english => {
      const pieces = english.split(/\{\d\}/).map(piece => piece.replace(/[.*+?^$()|[\]\\{}]/g, '\\$&'));
      return new RegExp(`^${pieces.join('.+')}$`);
    });
  return texts => texts.filter(text => whole.has(text) || templates.some(template => template.test(text)));
}
