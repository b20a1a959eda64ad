import * as vscode from 'vscode';
import type { ServerCertificate, SyncStatus } from '../../core/sync/syncState';
import { currentLocale, isolate, t } from '../../shared/l10n';
import { withIcon } from '../../ui/withIcon';
import { type back, pickStep } from '../common/inputSteps';

/** A certificate and the host that presented it. */
export interface ServerCertificateAt {
  readonly host: string;
  readonly certificate: ServerCertificate;
}

/** The certificate of the server at a typed address, if it uses https and its certificate is not trusted yet. */
export async function untrustedCertificate(
  syncing: SyncStatus,
  typed: string,
  trusted: readonly string[] = [],
): Promise<ServerCertificateAt | undefined> {
  const address = /^[a-z][\w+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`;
  if (!/^https:/i.test(address) || !URL.canParse(address)) return undefined;
  try {
    const certificate = await syncing.certificateOf(address);
    const isFine = certificate.problem === null || trusted.includes(certificate.fingerprint);
    return isFine ? undefined : { host: new URL(address).host, certificate };
  } catch {
    return undefined; // the search for lists reports the reason better
  }
}

/** Shows a certificate that no trusted authority issued; returns its fingerprint if the user trusts it. */
export async function askTrust(
  { host, certificate }: ServerCertificateAt,
  hasBack = false,
): Promise<string | typeof back | undefined> {
  const { fingerprint, subject, issuer, validTo, problem } = certificate;
  const fact = (label: string, detail?: string) => ({ label, detail, answer: undefined });
  const heading = (label: string) => ({ label, kind: vscode.QuickPickItemKind.Separator, answer: undefined });
  const lines = [
    { ...withIcon('close', t('Do not trust this certificate')), alwaysShow: true, answer: undefined },
    {
      ...withIcon('shield', t('Trust this certificate for this account')),
      detail: t('Only if the fingerprint matches the one from the server’s administrator.'),
      alwaysShow: true,
      answer: fingerprint,
    },
    // One line would be cut off, and the user compares every digit.
    heading(t('Fingerprint (SHA-256)')),
    fact(fingerprint.slice(0, fingerprint.length >> 1)),
    fact(fingerprint.slice((fingerprint.length >> 1) + 1)),
    heading(''),
    fact(t('Issued to'), subject),
    fact(t('Issued by'), issuer),
    fact(t('Valid until'), dayOf(validTo)),
  ];
  return pickStep<string | undefined>(lines, {
    title: t('The certificate for {0} is not trusted', isolate(host)),
    placeholder: problem === null ? '' : reasonOf(problem),
    hasBack,
    ignoreFocusOut: true,
  });
}

/** An error of the TLS library as a sentence, followed by its own name. */
function reasonOf(code: string): string {
  const reason = /SELF_SIGNED/.test(code)
    ? t('Self-signed certificate.')
    : /ISSUER|VERIFY|UNTRUSTED/.test(code)
      ? t('Issued by an authority that this computer does not trust.')
      : /EXPIRED/.test(code)
        ? t('The certificate has expired.')
        : /ALTNAME|HOSTNAME/.test(code)
          ? t('Issued for a different host.')
          : '';
  return reason === '' ? code : `${reason} (${code})`;
}

const dayOf = (text: string) => {
  const time = Date.parse(text);
  return Number.isNaN(time) ? text : new Date(time).toLocaleDateString(currentLocale(), { dateStyle: 'long' });
};
