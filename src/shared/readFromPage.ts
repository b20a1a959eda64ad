import {
  answerActs,
  type FromPage,
  hours,
  maxLineLength,
  type Range,
  rowActs,
  type SetupView,
  widgetActs,
} from './widgetProtocol';

/** Pasted lines may become the notes of a task. */
const maxAddedLength = 1_000_000;
const maxRanges = 1000;
const maxQueryLength = 2000;
const maxKeyLength = 1000;
const maxNameLength = 200;
const maxKeys = 20_000;

/** A message of the page as it must be, or undefined: a page is not trusted more than any other sender. */
export function readFromPage(message: unknown): FromPage | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const value = message as Record<string, unknown>;
  switch (value.type) {
    case 'ready':
    case 'unfocused':
      return { type: value.type };
    case 'width':
      return Number.isSafeInteger(value.width) ? { type: 'width', width: value.width as number } : undefined;
    case 'rows':
      return isOneOf(rowActs, value.act) && isKeys(value.keys)
        ? { type: 'rows', act: value.act, keys: value.keys }
        : undefined;
    case 'move':
    case 'moveDragged':
      return readMove(value);
    case 'selected':
    case 'wanted':
      return isKeys(value.keys) ? { type: value.type, keys: value.keys } : undefined;
    case 'more':
      return isKey(value.group) ? { type: 'more', group: value.group } : undefined;
    case 'order':
      return isKeys(value.keys) && isKey(value.beside) && isOneOf(sides, value.side)
        ? { type: 'order', keys: value.keys, beside: value.beside, side: value.side }
        : undefined;
    case 'priority':
      return isKeys(value.keys) && isOneOf(priorities, value.priority)
        ? { type: 'priority', keys: value.keys, priority: value.priority }
        : undefined;
    case 'collapse':
      return isKey(value.column) ? { type: 'collapse', column: value.column } : undefined;
    case 'setup': {
      const setup = readSetupChange(value.setup);
      return setup && { type: 'setup', setup };
    }
    case 'suggest': {
      const { request, text, position } = value;
      if (!Number.isSafeInteger(request) || !isText(text, maxQueryLength) || !Number.isSafeInteger(position))
        return undefined;
      return { type: 'suggest', request: request as number, text, position: position as number };
    }
    case 'widget':
      return isOneOf(widgetActs, value.act) ? { type: 'widget', act: value.act } : undefined;
    case 'answer':
      return isOneOf(answerActs, value.act) && isKey(value.step)
        ? { type: 'answer', act: value.act, step: value.step }
        : undefined;
    case 'understand':
    case 'newList':
    case 'add':
      return readLine(value);
    default:
      return undefined;
  }
}

function readMove({ type, keys, group, hour }: Record<string, unknown>): FromPage | undefined {
  if (!isKey(group) || !(hour === undefined || isOneOf(hours, hour))) return undefined;
  const place = { group, ...(hour === undefined ? {} : { hour }) };
  if (type === 'moveDragged') return { type, ...place };
  return isKeys(keys) ? { type: 'move', keys, ...place } : undefined;
}

/** A line of quick add, and what is to be done with it. */
function readLine(value: Record<string, unknown>): FromPage | undefined {
  const { type, request, text, rejected, group, caret, name, as } = value;
  const longest = type === 'add' ? maxAddedLength : maxLineLength;
  if (!Number.isSafeInteger(request) || !isText(text, longest) || !isRanges(rejected)) return undefined;
  const line = { request: request as number, text, rejected };
  if (type === 'newList') return isText(name, maxNameLength) ? { type, ...line, name } : undefined;
  if (type === 'understand') {
    if (caret !== undefined && !Number.isSafeInteger(caret)) return undefined;
    return { type, ...line, ...(caret === undefined ? {} : { caret: caret as number }) };
  }
  if (!(group === undefined || isKey(group)) || !(as === undefined || isOneOf(linesAs, as))) return undefined;
  return { type: 'add', ...line, ...(group === undefined ? {} : { group }), ...(as === undefined ? {} : { as }) };
}

/** Of a line that is refused: the page has cleared its field, and waits for an answer. */
export function requestOfLine(message: unknown): number | undefined {
  const { type, request } = (message ?? {}) as Record<string, unknown>;
  return isOneOf(['understand', 'newList', 'add'], type) && Number.isSafeInteger(request)
    ? (request as number)
    : undefined;
}

const linesAs = ['lines', 'notes'] as const;
const sides = ['before', 'after'] as const;
const priorities = [0, 1, 5, 9] as const;

/** Of bounded size, whatever the page says; what does not fit makes all of it unfit. */
function readSetupChange(said: unknown): Partial<SetupView> | undefined {
  if (typeof said !== 'object' || said === null) return undefined;
  const fields = Object.entries(said).filter(([field]) => Object.hasOwn(setupFields, field));
  return fields.every(([field, value]) => setupFields[field as keyof SetupView](value))
    ? Object.fromEntries(fields)
    : undefined;
}

const setupFields: Readonly<Record<keyof SetupView, (value: unknown) => boolean>> = {
  title: value => isText(value, 200),
  lists: value => Array.isArray(value) && value.length <= 500 && value.every(name => isText(name, maxLineLength)),
  filter: value => isText(value, maxQueryLength),
  sort: value => isText(value, 200),
  group: value => isText(value, 40),
  stacked: value => typeof value === 'boolean',
  rows: value => isText(value, 40),
  tags: value => isText(value, maxQueryLength),
  limits: isLimits,
  collapsed: isKeys,
};

/** Whole numbers from 1 on, by column. */
export function isLimits(value: unknown): value is Record<string, number> {
  if (typeof value !== 'object' || value === null) return false;
  const limits = Object.entries(value);
  return limits.length <= 500 && limits.every(([key, most]) => isKey(key) && Number.isSafeInteger(most) && most > 0);
}

const isText = (value: unknown, most: number): value is string => typeof value === 'string' && value.length <= most;

const isKey = (value: unknown): value is string => isText(value, maxKeyLength);

const isOneOf = <T extends string | number>(all: readonly T[], value: unknown): value is T => all.includes(value as T);

function isKeys(value: unknown): value is string[] {
  return Array.isArray(value) && value.length <= maxKeys && value.every(isKey);
}

const isRanges = (value: unknown): value is Range[] =>
  Array.isArray(value) &&
  value.length <= maxRanges &&
  value.every(range => Array.isArray(range) && range.length === 2 && range.every(at => Number.isSafeInteger(at)));
