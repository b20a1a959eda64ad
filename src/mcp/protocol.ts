import { instructions, tools } from './tools';

/** Revisions that begin with `initialize`, the newest first. */
const handshakeVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
/** The revision without one: each request says who asks. */
const withoutHandshake = '2026-07-28';
const meta = 'io.modelcontextprotocol/';

/** Of JSON-RPC 2.0, and the protocol's own for a revision that is not known. */
const codes = { parse: -32700, request: -32600, method: -32601, params: -32602, version: -32022 } as const;

type Fields = Readonly<Record<string, unknown>>;

/** A request that cannot be answered, as the client is told. */
class RpcError extends Error {
  constructor(
    readonly kind: keyof typeof codes,
    message: string,
    readonly data?: object,
  ) {
    super(message);
  }
}

/** Does what a tool is for. */
type CallTool = (name: string, args: unknown, client: string) => Promise<object>;

/**
 * The Model Context Protocol as far as tools go, in the revisions before and since 2026-07-28. Its own package would be a
 * third of the command line.
 */
export class Protocol {
  #client = '';

  constructor(
    private readonly version: string,
    private readonly call: CallTool,
  ) {}

  /** To a line of standard input; undefined where it wants none. */
  async answer(line: string): Promise<object | undefined> {
    let message: unknown;
    try {
      message = JSON.parse(line.trim());
    } catch {
      return this.#answerOne(undefined);
    }
    if (!Array.isArray(message) || message.length === 0) return this.#answerOne(message);
    // A batch, which revision 2025-03-26 asks for.
    const answers: object[] = [];
    for (const each of message) {
      const answer = await this.#answerOne(each);
      if (answer) answers.push(answer);
    }
    return answers.length > 0 ? answers : undefined;
  }

  /** Undefined: the line is no JSON. */
  async #answerOne(message: unknown): Promise<object | undefined> {
    let id: unknown = null;
    try {
      if (message === undefined) throw new RpcError('parse', 'That is no JSON.');
      if (!isFields(message)) throw new RpcError('request', 'That is no request of JSON-RPC 2.0.');
      const { method, params = {} } = message;
      // What has no id is a notification, and what has no method is an answer to a question that nobody asked.
      if (message.id === undefined || method === undefined) return undefined;
      id = typeof message.id === 'string' || typeof message.id === 'number' ? message.id : null;
      if (id === null || typeof method !== 'string' || !isFields(params))
        throw new RpcError('request', 'That is no request of JSON-RPC 2.0.');
      return { jsonrpc: '2.0', id, result: await this.#result(method, params) };
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      const { kind, message, data } = error;
      return { jsonrpc: '2.0', id, error: { code: codes[kind], message, ...(data && { data }) } };
    }
  }

  async #result(method: string, params: Fields): Promise<object> {
    const about = isFields(params._meta) ? params._meta : {};
    const revision = about[`${meta}protocolVersion`];
    if (revision === undefined) return this.#answerTo(method, params);
    if (typeof revision !== 'string') throw new RpcError('params', 'The revision of the protocol must be a string.');
    if (revision !== withoutHandshake) {
      const data = { supported: [withoutHandshake], requested: revision };
      throw new RpcError('version', 'This revision of the protocol is not known.', data);
    }
    this.#remember(about[`${meta}clientInfo`]);
    const result = { ...(await this.#answerTo(method, params)), _meta: { [`${meta}serverInfo`]: this.#info } };
    const isKept = method === 'tools/list' || method === 'server/discover';
    return { ...result, resultType: 'complete', ...(isKept && { ttlMs: 3_600_000, cacheScope: 'public' }) };
  }

  async #answerTo(method: string, params: Fields): Promise<object> {
    const offered = { capabilities: { tools: {} }, instructions };
    switch (method) {
      case 'initialize':
        this.#remember(params.clientInfo);
        return { protocolVersion: negotiateVersion(params.protocolVersion), serverInfo: this.#info, ...offered };
      case 'server/discover':
        return { supportedVersions: [withoutHandshake], ...offered };
      case 'ping':
        return {};
      case 'tools/list':
        return { tools };
      case 'tools/call': {
        const { name } = params;
        if (!tools.some(tool => tool.name === name)) throw new RpcError('params', 'There is no such tool.');
        return this.call(name as string, params.arguments ?? {}, this.#client);
      }
      default:
        throw new RpcError('method', 'There is no such method.');
    }
  }

  get #info() {
    return { name: 'dueline', title: 'Dueline', version: this.version };
  }

  #remember(info: unknown): void {
    if (isFields(info) && typeof info.name === 'string') this.#client = info.name;
  }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the client wants where it is known, else the newest: the client decides whether it can go on. */
const negotiateVersion = (wanted: unknown): string =>
  handshakeVersions.find(known => known === wanted) ?? handshakeVersions[0]!;
