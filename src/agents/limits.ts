/** Tasks that an agent changes at once: a mistake is to stay small. */
export const maxBatch = 10;

/** Lines of a plan that it adds at once. */
export const maxPlanLines = 50;
