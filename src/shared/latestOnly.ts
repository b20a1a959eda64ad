/**
 * Runs questions of which only the newest matters, for example while the user types: a new one cancels the one before.
 */
export class LatestOnly {
  #asking = new AbortController();

  /** Undefined if a newer question came, or the questions were ended. */
  async ask<Answer>(question: (signal: AbortSignal) => Promise<Answer>): Promise<Answer | undefined> {
    this.end();
    const { signal } = this.#asking;
    try {
      const answer = await question(signal);
      return signal.aborted ? undefined : answer;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  end(): void {
    this.#asking.abort();
    this.#asking = new AbortController();
  }
}
