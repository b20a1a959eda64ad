/** A setting as package.json declares it: the parts of JSON Schema that it uses there. Does not import the editor. */
interface Declared {
  readonly type?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly items?: Declared;
}

/** A manifest, as far as it declares settings. */
export interface DeclaringManifest {
  readonly contributes: {
    readonly configuration: readonly { readonly properties: Readonly<Record<string, Declared>> }[];
  };
}

/** Reads settings as a manifest declares them. */
export class DeclaredSettings {
  readonly #declared: ReadonlyMap<string, Declared>;

  constructor({ contributes }: DeclaringManifest) {
    this.#declared = new Map(contributes.configuration.flatMap(({ properties }) => Object.entries(properties)));
  }

  /**
   * The value if it fits its declaration, else the default: people write settings by hand, and the editor only
   * underlines errors. An array keeps the items that fit.
   */
  valid(id: string, value: unknown): unknown {
    const declared = this.#declared.get(id);
    if (!declared) return value;
    if (!fits(value, declared)) return declared.default;
    const { items } = declared;
    return Array.isArray(value) && items && items.type !== 'object' ? value.filter(item => fits(item, items)) : value;
  }
}

function fits(value: unknown, declared: Declared): boolean {
  if (declared.type !== undefined && !isOfType(value, declared.type)) return false;
  if (declared.enum && !declared.enum.includes(value)) return false;
  if (typeof value === 'number')
    return (
      value >= (declared.minimum ?? Number.NEGATIVE_INFINITY) && value <= (declared.maximum ?? Number.POSITIVE_INFINITY)
    );
  return typeof value !== 'string' || declared.pattern === undefined || new RegExp(declared.pattern).test(value);
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  // The names that are left are JavaScript's own.
  return typeof value === type && value !== null && !Array.isArray(value);
}
