export { type CsvOptions, toCsv, toNdjson } from './list/to-text.ts';
