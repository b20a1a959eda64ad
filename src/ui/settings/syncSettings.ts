import * as vscode from 'vscode';
import type { SettingId, SettingValue } from '../../contributions/definitions';
import type { EngineSettings, ProxySettings } from '../../core/kernel/settings';

type ReadSetting = <K extends SettingId>(id: K) => SettingValue<K>;

/** Settings of the full flavor only. The offline one is built with the file next to this one, which reads none. */
export const serverSettings = (setting: ReadSetting): Partial<EngineSettings> => ({
  conflictPolicy: setting('dueline.sync.conflictPolicy'),
  trustedCertificates: setting('dueline.sync.trustedCertificates'),
  proxy: proxySettings(),
});

/** Tests whether the paths of linked files are stored in tasks; else they can only be recognized. */
export const syncsPaths = (setting: ReadSetting): boolean => setting('dueline.links.syncPaths');

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
