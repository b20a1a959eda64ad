import type { ConflictPolicy, EngineSettings } from '../core/settings';
import type { SettingId } from '../ids';

/** Settings of the full flavor alone. The offline one is built with the file beside this one, which reads none. */
export const serverSettings = (setting: <T>(id: SettingId) => T): Partial<EngineSettings> => ({
  syncTimeoutSeconds: setting<number>('dueline.sync.timeoutSeconds'),
  conflictPolicy: setting<ConflictPolicy>('dueline.sync.conflictPolicy'),
  trustedCertificates: setting<string[]>('dueline.sync.trustedCertificates'),
});
