import type { Message } from '../../src/core/kernel/message';

/** The English sentences of messages. */
export const textsOf = (messages: readonly Message[]): string[] => messages.map(({ text }) => text);
