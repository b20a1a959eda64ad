import { type CsvColumn, detailNames, type TextName, taskFields } from '../fields/table';

/** The names of text columns in other programs. The table of fields does not have them: pages read it, too. */
const others: Partial<Record<CsvColumn, string>> = {
  title: 'task|taskname|name|summary|subject|content|todo|titel|aufgabe|titre|tache|titulo|tarefa|العنوان|المهمة',
  notes: 'note|description|body|details|comment|comments|notizen|notiz|beschreibung|descricao|notas|ملاحظات',
  location: 'place|ort|lieu|local|الموقع',
  url: 'link|website|الرابط',
  estimate: 'estimatedtime|estimatedduration|timeestimate|effort|aufwand|estimation|estimativa',
};

const textColumns = <Name extends TextName>(texts: readonly Name[]) =>
  Object.fromEntries(
    texts.map(name => {
      const column = taskFields[name].csv;
      return [column, [column, others[column]].filter(Boolean).join('|')];
    }),
  ) as Record<CsvColumn<Name>, string>;

/** Our columns in their order, with their names in other programs; case and signs make no difference. */
const names = {
  ...textColumns(['title', 'description']),
  due: 'due|duedate|date|deadline|dueon|dueat|enddate|falligam|faellig|fallig|echeance|vencimento|prazo|الاستحقاق',
  start: 'start|startdate|dtstart|begin|starton|beginn|debut|inicio|البدء',
  priority: 'priority|prio|importance|prioritat|priorite|prioridade|الأولوية',
  tags: 'tags|tag|labels|label|categories|category|contexts|context|schlagworter|etiquettes|etiquetas|marcadores|الوسوم',
  status: 'status|state|done|iscompleted|checked|erledigt|statut|etat|الحالة',
  percent: 'percent|percentcomplete|progress|complete|completion|fortschritt|progression|progresso',
  list: 'list|listname|project|projectname|folder|folderlist|liste|lista|القائمة',
  ...textColumns(detailNames),
  ...textColumns(['estimate']),
  repeat: 'repeat|recurrence|rrule|recurring|wiederholung|repetition|recurrencia|recorrencia|التكرار',
  duration: 'duration|dauer|duree|duracao',
  reminders: 'reminders|reminder|alarms|alarm|erinnerungen|rappels|lembretes',
  timezone: 'timezone|tz|tzid|zeitzone|fuseauhoraire|fusohorario',
  created: 'created|createdat|createdtime|creationdate|createddate|added|erstellt|cree|criado',
  completed: 'completed|completedat|completedtime|completiondate|completeddate|doneat|donedate|finished',
  parent: 'parent|parentid|parentuid|parenttask|ubergeordnet',
  uid: 'uid|id|uuid|guid|taskid',
};

export type Column = keyof typeof names;

export const columns = Object.keys(names) as readonly Column[];

function plain(header: string): string {
  return header
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

const byName = new Map(
  (Object.entries(names) as [Column, string][]).flatMap(([column, all]) =>
    all.split('|').map(name => [plain(name), column] as const),
  ),
);

/** The index of each column's cell. If several headers name one column, the first counts. */
export function columnsOfHeader(headers: readonly string[]): Map<Column, number> {
  const indexes = new Map<Column, number>();
  for (const [index, header] of headers.entries()) {
    const column = byName.get(plain(header));
    if (column && !indexes.has(column)) indexes.set(column, index);
  }
  return indexes;
}
