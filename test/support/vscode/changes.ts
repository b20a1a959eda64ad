/** Everything that a test can wait for in the double goes through here: a wait checks again at each change, never by time. */
export class Changes {
  readonly #checks = new Set<() => void>();

  /** Notifies that something on the screen has changed. */
  notify = (): void => {
    for (const check of [...this.#checks]) check();
  };

  /** The result of `check`, at once or after the change that brings it. Fails after `limit` milliseconds, which no green run waits for. */
  until<T>(subject: string, check: () => T | undefined | false, limit = 20_000): Promise<T> {
    const found = check();
    if (found !== undefined && found !== false) return Promise.resolve(found);
    return new Promise((resolve, reject) => {
      const end = (then: () => void) => {
        this.#checks.delete(again);
        clearTimeout(timer);
        then();
      };
      const again = () => {
        const now = check();
        if (now !== undefined && now !== false) end(() => resolve(now));
      };
      const timer = setTimeout(() => end(() => reject(new Error(`never came: ${subject}`))), limit);
      this.#checks.add(again);
    });
  }
}

/** An object whose changed properties are announced. Its own code works on the object itself, which has private parts. */
export const observed = <T extends object>(target: T, changes: Changes): T =>
  new Proxy(target, {
    get(one, key) {
      const value = Reflect.get(one, key, one);
      return typeof value === 'function' ? value.bind(one) : value;
    },
    set(one, key, value) {
      Reflect.set(one, key, value, one);
      changes.notify();
      return true;
    },
  });

/** Part of the API: what the double does not have is an error that names it, so that no test passes by what is missing. */
export const strict = <T extends object>(name: string, part: T): T =>
  new Proxy(part, {
    get(target, key) {
      if (typeof key === 'symbol' || key in target) return Reflect.get(target, key, target);
      throw new Error(`The double of the editor has no vscode.${name}.${key}.`);
    },
  });

/** A text, or a part of one, as tests name it. */
export type Words = string | RegExp;

export const hasWords = (text: string | undefined, words: Words): boolean =>
  text !== undefined && (typeof words === 'string' ? text.includes(words) : words.test(text));
