/** Sync: the full flavor alone has these. */
import { defaultSettings } from '../../core/kernel/settings';
import { choice, flag, integer, setOf } from '../define';

export const syncSettings = {
  'dueline.sync.enabled': flag(true, { tags: ['usesOnlineServices'] }),
  'dueline.sync.intervalMinutes': integer(15, { tags: ['usesOnlineServices'], minimum: 0, maximum: 1440 }),
  'dueline.sync.onFocus': flag(true, { tags: ['usesOnlineServices'] }),
  'dueline.sync.onSave': flag(true, { tags: ['usesOnlineServices'] }),
  'dueline.sync.conflictPolicy': choice(
    ['merge', 'ask', 'keepBoth', 'serverWins', 'localWins'],
    defaultSettings.conflictPolicy,
  ),
  'dueline.sync.trustedCertificates': setOf(
    { type: 'string', pattern: '^([0-9A-Fa-f]{2}:?){32}$' },
    defaultSettings.trustedCertificates,
    { scope: 'machine', ignoreSync: true },
  ),
};
