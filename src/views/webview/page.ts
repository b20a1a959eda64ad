import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { currentBundle, currentLanguage, currentLocale } from '../../shared/l10n';
import type { Boot } from '../../shared/widgetProtocol';

export interface PageParts {
  /** `dist/media/<style>.css`. */
  readonly styles: readonly string[];
  readonly title: string;
  readonly direction: 'ltr' | 'rtl';
  /** The part of the window that the page is in at first, whose background the page uses behind overlays. */
  readonly viewLocation: 'sidebar' | 'panel' | 'editor';
  readonly boot: Boot;
}

export const pageOptions = (extensionUri: vscode.Uri): vscode.WebviewOptions => ({
  enableScripts: true,
  localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist', 'media')],
});

/** The texts with which a page speaks its host's language. */
export const pageWords = (): Pick<Boot, 'locale' | 'language' | 'words'> => ({
  locale: currentLocale(),
  language: currentLanguage(),
  words: currentBundle(),
});

/** A page that a script of ours draws. */
export function pageHtml(webview: vscode.Webview, extensionUri: vscode.Uri, parts: PageParts): string {
  const nonce = randomBytes(18).toString('base64');
  const script = fileUri(webview, extensionUri, 'tasks.page.js');
  const { boot, viewLocation } = parts;
  return frame(webview, extensionUri, { ...parts, language: boot.language, scripts: `'nonce-${nonce}'` }, [
    `<body class="as-${viewLocation}" data-boot="${escaped(JSON.stringify(boot))}">`,
    `<script nonce="${nonce}" src="${escaped(script)}"></script>`,
    '</body>',
  ]);
}

interface Article {
  readonly title: string;
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  /** HTML without scripts: none would run. */
  readonly body: string;
}

interface Form extends Article {
  /** `dist/media/<script>.page.js`. */
  readonly script: string;
  readonly styles: readonly string[];
}

/** A page that the host draws; its script sends the user's choice. */
export function answerHtml(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  { script, body, ...parts }: Form,
): string {
  const nonce = randomBytes(18).toString('base64');
  const source = escaped(fileUri(webview, extensionUri, `${script}.page.js`));
  return frame(webview, extensionUri, { ...parts, scripts: `'nonce-${nonce}'` }, [
    '<body>',
    body,
    `<script nonce="${nonce}" src="${source}"></script>`,
    '</body>',
  ]);
}

/** A page to read. */
export const articleHtml = (webview: vscode.Webview, extensionUri: vscode.Uri, article: Article): string =>
  frame(webview, extensionUri, { ...article, styles: ['article'], scripts: `'none'` }, [
    '<body>',
    article.body,
    '</body>',
  ]);

type Frame = Pick<PageParts, 'styles' | 'title' | 'direction'> & { language: string; scripts: string };

/** The only function that writes a page: nothing may be loaded but our own script and styles, and nothing may connect. */
function frame(webview: vscode.Webview, extensionUri: vscode.Uri, parts: Frame, body: readonly string[]): string {
  const policy = [
    `default-src 'none'`,
    `style-src ${webview.cspSource}`,
    `script-src ${parts.scripts}`,
    `connect-src 'none'`,
    `form-action 'none'`,
    `base-uri 'none'`,
  ].join('; ');
  const styles = parts.styles.map(style => fileUri(webview, extensionUri, `${style}.css`));
  return `<!DOCTYPE html>
<html lang="${escaped(parts.language)}" dir="${parts.direction}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escaped(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(parts.title)}</title>
${styles.map(style => `<link rel="stylesheet" href="${escaped(style)}">`).join('\n')}
</head>
${body.join('\n')}
</html>`;
}

const fileUri = (webview: vscode.Webview, extensionUri: vscode.Uri, name: string) =>
  webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', 'media', name)).toString();

export const escaped = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
