/** The offline flavor's stand-in for syncText.ts: this flavor has no servers. */
import type * as full from './syncText';

export type { SyncIssue } from './syncText';

type Full = typeof full;
const nothing = () => undefined;

export const issueWord: Full['issueWord'] = nothing;
export const waitingWord: Full['waitingWord'] = nothing;
export const waitingSentence: Full['waitingSentence'] = nothing;
export const refusedWord: Full['refusedWord'] = () => '';
export const accountNoun: Full['accountNoun'] = () => '';
export const accountLabel: Full['accountLabel'] = name => name;
export const accountWording: Full['accountWording'] = nothing;
export const accountFlags: Full['accountFlags'] = () => '';
export const accountNames: Full['accountNames'] = () => new Map();
export const pathLeaves: Full['pathLeaves'] = () => '';
export const accountFilters: Full['accountFilters'] = () => [];
export const deletedForAll: Full['deletedForAll'] = () => '';
export const stopSyncing: Full['stopSyncing'] = () => ({ command: '', title: '', arguments: [] });
export const duplicatesNote: Full['duplicatesNote'] = nothing;
export const notSyncedWord: Full['notSyncedWord'] = nothing;
export const remedyCommand: Full['remedyCommand'] = () => ({ command: '', title: '', arguments: [] });
export const failingAccount: Full['failingAccount'] = nothing;
export const attentionSentence: Full['attentionSentence'] = sentence => sentence;
export const accountNotes: Full['accountNotes'] = () => [];
