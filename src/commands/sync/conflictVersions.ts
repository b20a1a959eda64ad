import type { SyncConflict } from '../../core/sync/syncState';
import { isolate, t } from '../../shared/l10n';

/** The names of both versions, if they are files of one folder. */
const filesOf = ({ files }: SyncConflict) => files && { mine: isolate(files.mine), server: isolate(files.server) };

/**
 * The names of both versions of a task: those of files in a folder are their file names, since none of them is the
 * server's.
 */
export function versionWords(conflict: SyncConflict) {
  const files = filesOf(conflict);
  if (!files)
    return {
      sides: { mine: t('Mine'), server: t('Server') },
      use: { mine: t('Use My Version'), server: t('Use Server Version') },
      useForAll: { mine: t('Use Mine for All'), server: t('Use Server for All') },
    };
  const { mine, server } = files;
  return {
    sides: files,
    use: { mine: t('Use {0}', mine), server: t('Use {0}', server) },
    useForAll: { mine: t('Use {0} for All', mine), server: t('Use {0} for All', server) },
  };
}

/** The reason for the conflict about a second file of a task. */
export function copyReason(conflict: SyncConflict): string {
  const { mine = '', server = '' } = filesOf(conflict) ?? {};
  return t('Two files have this task: {0} and {1}', server, mine);
}

/** The message after a version was chosen. */
export function keptMessage(conflict: SyncConflict, how: 'mine' | 'server'): string {
  const title = isolate(conflict.title);
  const files = filesOf(conflict);
  if (files) return t('Kept {0} as it is in {1}', title, files[how]);
  return how === 'mine' ? t('Kept your version of {0}', title) : t('Kept the server version of {0}', title);
}
