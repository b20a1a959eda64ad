// A package that comes without types, as far as the scripts use it.
declare module 'js-yaml' {
  export function load(text: string): unknown;
}
