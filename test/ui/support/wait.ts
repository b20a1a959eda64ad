import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again and again until there is an answer; an error while asking counts as none. */
export async function until<T>(
  subject: string,
  limit: number,
  ask: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const end = Date.now() + limit;
  let last: unknown;
  for (;;) {
    try {
      const answer = await ask();
      if (answer !== undefined && answer !== false) return answer;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw new Error(`${subject}: not within ${limit / 1000} s`, { cause: last });
    await sleep(100);
  }
}
