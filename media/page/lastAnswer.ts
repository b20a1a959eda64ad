/** A function that returns its last answer if it is called again with the same arguments. */
export function lastAnswer<A extends readonly unknown[], R>(ask: (...asked: A) => R): (...asked: A) => R {
  let last: { readonly asked: A; readonly answer: R } | undefined;
  return (...asked) => {
    if (!last || last.asked.some((one, at) => one !== asked[at])) last = { asked, answer: ask(...asked) };
    return last.answer;
  };
}
