import { offerInTerminals } from '../commands/agents/terminals';

/** The other flavor, if this one has to stand aside for it. */
export const otherFlavorId: string | undefined = undefined;

/** The work before the store is open. */
export const registerTerminalCommand = offerInTerminals;
