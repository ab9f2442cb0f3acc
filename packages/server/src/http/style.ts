import { DATA } from './style/data.ts';
import { FORMS } from './style/forms.ts';
import { NARROW } from './style/narrow.ts';
import { SHELL } from './style/shell.ts';
import { TOKENS } from './style/tokens.ts';

/** The one style sheet of every page. `/console/_components` shows its components in development. */
export const STYLE = [TOKENS, SHELL, DATA, FORMS, NARROW].join('\n');
