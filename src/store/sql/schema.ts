import { createHash } from 'node:crypto';

/**
 * The four tables, fixed for all programs that read them and defined once: the CREATE statements, the schema descriptions
 * in `schemas/`, the identity hash and the comparison on every open all come from here.
 */

export const schemaVersion = 2;

interface Column {
  readonly name: string;
  readonly affinity: 'INTEGER' | 'TEXT';
  readonly notNull: boolean;
  /** An SQL literal. */
  readonly defaultValue?: string;
  /** The schema version that added the column; 1 if absent. */
  readonly since?: number;
}

interface ForeignKey {
  readonly column: string;
  readonly parent: string;
  readonly onDelete: 'CASCADE' | 'SET NULL';
}

interface Index {
  readonly name: string;
  readonly unique: boolean;
  readonly columns: readonly string[];
}

export interface Table {
  readonly name: string;
  /** In the order that other programs know; the first is the generated `id`. */
  readonly columns: readonly Column[];
  readonly indices: readonly Index[];
  readonly foreignKeys: readonly ForeignKey[];
}

const id: Column = { name: 'id', affinity: 'INTEGER', notNull: true };
const integer = (name: string, defaultValue?: string): Column => ({
  name,
  affinity: 'INTEGER',
  notNull: true,
  ...(defaultValue !== undefined && { defaultValue }),
});
const text = (name: string, defaultValue?: string): Column => ({ ...integer(name, defaultValue), affinity: 'TEXT' });
const optional = (column: Column): Column => ({ ...column, notNull: false });
const index = (table: string, columns: readonly string[], unique = false): Index => ({
  name: `index_${table}_${columns.join('_')}`,
  unique,
  columns,
});

const tables: readonly Table[] = [
  {
    name: 'accounts',
    columns: [
      id,
      text('display_name'),
      optional(text('principal_url')),
      optional(text('home_set_url')),
      optional(text('username')),
      optional(integer('last_sync_at')),
      optional(text('last_sync_error')),
    ],
    indices: [],
    foreignKeys: [],
  },
  {
    name: 'task_lists',
    columns: [
      id,
      text('name'),
      integer('color'),
      optional(integer('account_id')),
      integer('is_visible', '1'),
      integer('is_synced', '1'),
      optional(text('owner')),
      integer('is_read_only', '0'),
      integer('sort_order', '0'),
      optional(text('href')),
      optional(text('ctag')),
      optional(text('sync_token')),
      integer('is_dirty', '0'),
    ],
    indices: [index('task_lists', ['account_id'])],
    foreignKeys: [{ column: 'account_id', parent: 'accounts', onDelete: 'SET NULL' }],
  },
  {
    name: 'tasks',
    columns: [
      id,
      integer('list_id'),
      text('uid'),
      optional(text('href')),
      optional(text('etag')),
      optional(text('title')),
      optional(text('description')),
      optional(text('location')),
      optional(text('url')),
      optional(integer('color')),
      { ...text('categories', "''"), since: 2 },
      integer('status', '0'),
      optional(integer('percent_complete')),
      optional(integer('completed_at')),
      integer('priority', '0'),
      optional(integer('classification')),
      optional(integer('dtstart')),
      optional(integer('due')),
      optional(text('duration')),
      integer('is_all_day', '0'),
      optional(text('timezone')),
      optional(text('rrule')),
      optional(text('rdate')),
      optional(text('exdate')),
      optional(integer('recurrence_id')),
      optional(integer('master_id')),
      optional(integer('parent_id')),
      integer('sort_order', '0'),
      optional(integer('created_at')),
      optional(integer('last_modified')),
      integer('sequence', '0'),
      integer('is_dirty', '0'),
      integer('is_deleted', '0'),
      optional(text('unknown_properties')),
    ],
    indices: [
      index('tasks', ['list_id', 'is_deleted']),
      index('tasks', ['parent_id']),
      index('tasks', ['master_id', 'recurrence_id']),
      index('tasks', ['is_dirty']),
      index('tasks', ['list_id', 'uid', 'recurrence_id'], true),
    ],
    foreignKeys: [
      { column: 'list_id', parent: 'task_lists', onDelete: 'CASCADE' },
      { column: 'master_id', parent: 'tasks', onDelete: 'CASCADE' },
      { column: 'parent_id', parent: 'tasks', onDelete: 'SET NULL' },
    ],
  },
  {
    name: 'task_alarms',
    columns: [id, integer('task_id'), integer('minutes_before'), text('reference', "'DUE'"), optional(text('message'))],
    indices: [index('task_alarms', ['task_id'])],
    foreignKeys: [{ column: 'task_id', parent: 'tasks', onDelete: 'CASCADE' }],
  },
];

/** The tables as they were at a schema version. */
export const tablesOf = (version: number): readonly Table[] =>
  tables.map(table => ({ ...table, columns: table.columns.filter(column => (column.since ?? 1) <= version) }));

function columnSql(column: Column): string {
  if (column.name === 'id') return '`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL';
  const notNull = column.notNull ? ' NOT NULL' : '';
  const byDefault = column.defaultValue === undefined ? '' : ` DEFAULT ${column.defaultValue}`;
  return `\`${column.name}\` ${column.affinity}${notNull}${byDefault}`;
}

export function tableSql(table: Table): string {
  const keys = table.foreignKeys.map(
    key =>
      `, FOREIGN KEY(\`${key.column}\`) REFERENCES \`${key.parent}\`(\`id\`) ON UPDATE NO ACTION ON DELETE ${key.onDelete} `,
  );
  return `CREATE TABLE IF NOT EXISTS \`${table.name}\` (${table.columns.map(columnSql).join(', ')}${keys.join('')})`;
}

export const indexSql = (table: Table, { name, unique, columns }: Index): string =>
  `CREATE ${unique ? 'UNIQUE ' : ''}INDEX IF NOT EXISTS \`${name}\` ON \`${table.name}\` (${columns.map(column => `\`${column}\``).join(', ')})`;

/** The statements that make an empty database of a version, Room's own table and `user_version` included. */
export function creationSql(version: number): string[] {
  const own = tablesOf(version).flatMap(table => [
    tableSql(table),
    ...table.indices.map(each => indexSql(table, each)),
  ]);
  return [...own, ...identitySql(version), `PRAGMA user_version = ${version}`];
}

/** Writes the identity of a version; Room refuses a file whose row 42 differs from its own schema. */
export const identitySql = (version: number): string[] => [
  'CREATE TABLE IF NOT EXISTS room_master_table (id INTEGER PRIMARY KEY,identity_hash TEXT)',
  `INSERT OR REPLACE INTO room_master_table (id,identity_hash) VALUES(42, '${identityHash(version)}')`,
];

const digest = (parts: readonly string[]) =>
  createHash('md5')
    .update(parts.map(part => `${part}?:?`).join(''))
    .digest('hex');

const sorted = (parts: readonly string[]) =>
  [...parts].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : a.toLowerCase() > b.toLowerCase() ? 1 : 0));

const tableKey = (table: Table): string =>
  digest([
    table.name,
    'true-[id]',
    ...sorted(
      table.columns.map(
        column =>
          `${column.name}-${column.affinity}-${column.notNull}${column.defaultValue === undefined ? '' : `-defaultValue=${column.defaultValue}`}`,
      ),
    ),
    ...sorted(table.indices.map(each => `${each.unique}-${each.name}-${each.columns.join(',')}`)),
    ...sorted(table.foreignKeys.map(key => `${key.parent}-id-${key.column}-${key.onDelete}-NO ACTION-false`)),
  ]);

/** Room's identity hash: MD5 over the sorted keys of the tables, each part followed by `?:?`. */
export const identityHash = (version: number): string => digest(sorted(tablesOf(version).map(tableKey)));
