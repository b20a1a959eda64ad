/** The servers that it offers to the editor's own agents. */
export const agentProvider = 'dueline.agents';

/** Ids of the full flavor alone that the code uses at run time. The offline one is built with the file next to this one. */
export const serverContextKeys = {
  hasAccounts: 'dueline.hasAccounts',
  syncPaused: 'dueline.syncPaused',
  syncing: 'dueline.syncing',
  hasConflicts: 'dueline.hasConflicts',
} as const;
