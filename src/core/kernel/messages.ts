import { messageTable } from './message';

/**
 * The messages of core, without those about imports and iCalendar data, which a start does not need.
 *
 * @example
 * coreMessage('lineTooLong', 200).text // 'A line can have at most 200 characters. …'
 */
export const coreMessage = messageTable({
  sentences: '{0} {1}',
  labeled: '{0}: {1}',
  titleRequired: 'A task title is required.',
  lineTooLong: 'A line can have at most {0} characters. Put the rest into the notes, on a new line.',

  // Queries.
  onlyInWindows: '“{0}” is available in editor windows only.',
  groupTwice: '“group:” can only be used once.',
  limitTwice: '“limit:” can only be used once.',
  limitNotANumber: '“limit:” must be a whole number of at least 1.',
  sortTwice: '“sort:” can only be used once.',
  directiveValueUnknown: '“{0}” does not accept the value “{1}”.',
  oneValueOnly: '“{0}:” accepts only one value.',
  plainWordsOnly: '“{0}:” accepts only plain words.',
  queryTooLong: 'A query can have at most {0} characters.',
  expectedHere: 'Expected {0} here.',
  missingSlash: 'Missing closing slash. To search for a slash, put the text in quotes.',
  missingQuote: 'Missing closing quotation mark.',
  aList: 'a list',
  aPriority: 'a priority',
  aTag: 'a tag',
  aValue: 'a value for “{0}:”',
  aWord: 'a word',
  patternTooLarge: 'it is too large',
  patternLookaround: 'it uses lookahead or lookbehind',
  patternBackreference: 'it uses a backreference',
  missingOperand: '“{0}” needs a condition on both sides.',
  directiveNegated: '“{0}:” cannot be negated.',
  queryTooDeep: 'A query can be nested at most {0} levels deep.',
  tooManyConditions: 'A query can have at most {0} conditions.',
  incompleteQuery: 'The query is incomplete: a condition is missing at the end.',
  emptyParentheses: 'The parentheses are empty.',
  missingClosingParenthesis: 'Missing closing parenthesis.',
  missingCondition: 'Missing opening parenthesis, or a condition is missing before this one.',
  missingOpeningParenthesis: 'Missing opening parenthesis.',
  didYouMean: '{0} Did you mean “{1}”?',
  possibleValues: '{0} Possible values: {1}.',
  patternTooLong: 'A pattern can have at most {0} characters.',
  patternFlag: 'Only the flag “i” is allowed after a pattern, not “{0}”.',
  patternEmpty: 'The pattern between the slashes is empty.',
  patternInvalid: 'Invalid pattern: {0}.',
  patternTooSlow: 'This pattern could be too slow: {0}.',
  priorityNotANumber: '“priority:” must be high, medium, low, none or a number from 0 to 9.',
  compareWithRange: '“{0}” cannot be combined with “..”.',
  compareNotANumber: '“{0}” can only be used with dates and numbers.',
  comparePriorityWord: '“{0}” needs a number: 1 is the highest priority, 9 the lowest.',
  queryDateUnknown: '“{0}” is not a date.',
  valueUnknown: '“{0}:” does not accept the value “{1}”.',
  estimateNotAnAmount: '“{0}” is not an estimate. Use 30m, 1h30 or minutes.',
  numberOutOfRange: '“{0}:” must be a number from 0 to {1}.',
  dateNeeded: '“{0}:” needs a date.',
  numberNeeded: '“{0}:” needs a number.',
  patternNotAllowed: 'A pattern is not allowed here. Add tag: or list: before it.',
  rangeWithoutEnds: 'A range requires a start or an end.',
  unknownField: 'Unknown field “{0}”.',
  emptyQuotes: 'The quotation marks are empty.',
  quoteTheColon: 'To search for text with a colon, put it in quotes.',
  dateExamples: 'Use a date such as today, +7d, next-week or 2026-12-24.',

  // Sizes of imports.
  databaseTooLarge:
    'This database is {0} MB, but the limit is {1} MB. Export its lists as iCalendar files and import those instead.',
  tooManyTasks:
    'This file has more than {0} tasks, which is the limit. Split the file and import the parts separately.',
  fileTooLarge: 'This file is {0} MB, but the limit is {1} MB. Split the file and import the parts separately.',

  // Repeats.
  occurrenceNotInSeries: 'The series does not have this occurrence.',
  occurrenceOver: 'This occurrence is already over.',
  ruleWeekdayNumber: 'A numbered weekday requires FREQ=MONTHLY or FREQ=YEARLY.',
  ruleNotOneLine: 'A rule must be a single line without colons.',
  ruleByDay: 'BYDAY cannot be {0}.',
  ruleBySetPos: 'BYSETPOS requires another BY part.',
  ruleByWeekNo: 'BYWEEKNO requires FREQ=YEARLY.',
  ruleCountAndUntil: 'COUNT and UNTIL cannot be used together.',
  ruleCount: 'COUNT must be at least 1.',
  ruleFreq: 'FREQ must be one of {0}.',
  ruleInterval: 'INTERVAL must be a whole number of at least 1.',
  ruleCalendar: 'The calendar {0} is not supported.',
  ruleUntil: 'UNTIL cannot be {0}.',
  rulePart: '{0} cannot be {1}.',
  seriesNotMovable: 'This repeat cannot be moved by this distance. Change the repeat, or move one occurrence only.',
  splitOutsideSeries: 'A series can only be split at one of its own occurrences.',
  calendarIncomplete: '{0} is incomplete: the end of the calendar is missing.',
});
