import type { Database } from './database';
import { identityHash, identitySql, indexSql, type Table, tableSql, tablesOf } from './schema';

/** The exported form that Android Room writes and reads, `formatVersion` 1: what `schemas/<version>.json` holds. */
export function schemaDescription(version: number): object {
  return {
    formatVersion: 1,
    database: {
      version,
      identityHash: identityHash(version),
      entities: tablesOf(version).map(entityOf),
      views: [],
      setupQueries: identitySql(version),
    },
  };
}

const anyTable = (sql: string, table: Table) => sql.replace(`\`${table.name}\``, `\`\${TABLE_NAME}\``);

const entityOf = (table: Table) => ({
  tableName: table.name,
  createSql: anyTable(tableSql(table), table),
  fields: table.columns.map(column => ({
    fieldPath: column.name.replace(/_[a-z]/g, part => part[1]!.toUpperCase()),
    columnName: column.name,
    affinity: column.affinity,
    notNull: column.notNull,
    ...(column.defaultValue !== undefined && { defaultValue: column.defaultValue }),
  })),
  primaryKey: { autoGenerate: true, columnNames: ['id'] },
  indices: table.indices.map(index => ({
    name: index.name,
    unique: index.unique,
    columnNames: index.columns,
    orders: [],
    createSql: indexSql({ ...table, name: `\${TABLE_NAME}` }, index),
  })),
  foreignKeys: table.foreignKeys.map(key => ({
    table: key.parent,
    onDelete: key.onDelete,
    onUpdate: 'NO ACTION',
    columns: [key.column],
    referencedColumns: ['id'],
  })),
});

/**
 * The differences between a database's tables and the description; none if they agree. Order does not count: a migrated
 * table has its new columns last. Undeclared defaults do not count either, so that a file whose application keeps its
 * defaults in code passes.
 */
export function schemaDifferences(database: Database, version: number, options: { defaults?: boolean } = {}): string[] {
  return tablesOf(version).flatMap(table => {
    const expected = new Set(describeTable(table, options.defaults ?? true));
    const found = new Set(describeActual(database, table.name, options.defaults ?? true));
    return [
      ...[...expected].filter(item => !found.has(item)).map(item => `${table.name} lacks ${item}`),
      ...[...found].filter(item => !expected.has(item)).map(item => `${table.name} has an unknown ${item}`),
    ];
  });
}

const describeTable = (table: Table, defaults: boolean): string[] => [
  ...table.columns.map(({ name, affinity, notNull, defaultValue }) =>
    columnText(name, affinity, notNull, defaults ? defaultValue : undefined),
  ),
  ...table.indices.map(index => indexText(index.name, index.unique, index.columns)),
  ...table.foreignKeys.map(key => keyText(key.column, key.parent, 'id', key.onDelete, 'NO ACTION')),
];

function describeActual(database: Database, table: string, defaults: boolean): string[] {
  const columns = database.all<{ name: string; type: string; notnull: number; dflt_value: string | null }>(
    `PRAGMA table_info(${table})`,
  );
  const indices = database.all<{ name: string; unique: number }>(`PRAGMA index_list(${table})`);
  const keys = database.all<{ from: string; table: string; to: string; on_delete: string; on_update: string }>(
    `PRAGMA foreign_key_list(${table})`,
  );
  return [
    ...columns.map(column =>
      columnText(
        column.name,
        column.type.toUpperCase(),
        column.notnull === 1,
        defaults ? (column.dflt_value ?? undefined) : undefined,
      ),
    ),
    ...indices.map(index => {
      const parts = database.all<{ name: string }>(`PRAGMA index_info(${index.name})`);
      return indexText(
        index.name,
        index.unique === 1,
        parts.map(part => part.name),
      );
    }),
    ...keys.map(key => keyText(key.from, key.table, key.to, key.on_delete, key.on_update)),
  ];
}

const columnText = (name: string, type: string, notNull: boolean, byDefault: string | undefined) =>
  `column ${name} ${type}${notNull ? ' NOT NULL' : ''}${byDefault === undefined ? '' : ` DEFAULT ${byDefault}`}`;

const indexText = (name: string, unique: boolean, columns: readonly string[]) =>
  `${unique ? 'unique ' : ''}index ${name} (${columns.join(', ')})`;

const keyText = (column: string, parent: string, to: string, onDelete: string, onUpdate: string) =>
  `foreign key ${column} → ${parent}.${to} ON DELETE ${onDelete} ON UPDATE ${onUpdate}`;
