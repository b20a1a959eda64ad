import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Boot } from './protocol';

export interface PageParts {
  /** `dist/media/<script>.page.js` and `dist/media/<style>.css`. */
  readonly script: string;
  readonly styles: readonly string[];
  readonly title: string;
  readonly direction: 'ltr' | 'rtl';
  /** Where the page stands at first: it wears that part's background under what lies over text. */
  readonly place: 'sidebar' | 'panel' | 'editor';
  readonly boot: Boot;
}

export const pageOptions = (extensionUri: vscode.Uri): vscode.WebviewOptions => ({
  enableScripts: true,
  localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist', 'media')],
});

/** The one place that writes a page: nothing may be loaded but our own script and styles, and nothing may connect. */
export function pageHtml(webview: vscode.Webview, extensionUri: vscode.Uri, parts: PageParts): string {
  const nonce = randomBytes(18).toString('base64');
  const file = (name: string) =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', 'media', name)).toString();
  const policy = [
    `default-src 'none'`,
    `style-src ${webview.cspSource}`,
    `script-src 'nonce-${nonce}'`,
    `connect-src 'none'`,
    `form-action 'none'`,
    `base-uri 'none'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${attribute(parts.boot.locale)}" dir="${parts.direction}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${attribute(parts.title)}</title>
${parts.styles.map(style => `<link rel="stylesheet" href="${attribute(file(`${style}.css`))}">`).join('\n')}
</head>
<body class="as-${parts.place}" data-boot="${attribute(JSON.stringify(parts.boot))}">
<script nonce="${nonce}" src="${attribute(file(`${parts.script}.page.js`))}"></script>
</body>
</html>`;
}

const attribute = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
