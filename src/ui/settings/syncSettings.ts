import * as vscode from 'vscode';
import type { SettingId } from '../../contributions/ids';
import type { ConflictPolicy, EngineSettings, ProxySettings } from '../../core/settings';

/** Settings of the full flavor alone. The offline one is built with the file beside this one, which reads none. */
export const serverSettings = (setting: <T>(id: SettingId) => T): Partial<EngineSettings> => ({
  syncTimeoutSeconds: setting<number>('dueline.sync.timeoutSeconds'),
  conflictPolicy: setting<ConflictPolicy>('dueline.sync.conflictPolicy'),
  trustedCertificates: setting<string[]>('dueline.sync.trustedCertificates'),
  proxy: proxySettings(),
});

/** The editor's own settings: a proxy is set there once, for everything. */
function proxySettings(): ProxySettings {
  const http = vscode.workspace.getConfiguration('http');
  return {
    isOff: http.get('proxySupport') === 'off',
    url: http.get<string>('proxy') ?? '',
    noProxy: http.get<string[]>('noProxy') ?? [],
    authorization: http.get<string | null>('proxyAuthorization') ?? null,
    isStrict: http.get<boolean>('proxyStrictSSL') ?? true,
    // Older editors have no such setting and leave `fetch` alone.
    isKnownToFetch: http.get<boolean>('fetchAdditionalSupport') ?? false,
  };
}
