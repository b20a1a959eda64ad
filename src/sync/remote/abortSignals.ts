/** In Node since 20.3, and not in its types yet. */
const { any } = AbortSignal as unknown as { any: (this: unknown, signals: readonly AbortSignal[]) => AbortSignal };

/** Aborted as soon as one of them is. */
export const anySignal = (...signals: readonly (AbortSignal | undefined)[]): AbortSignal =>
  any.call(
    AbortSignal,
    signals.filter(signal => signal !== undefined),
  );
