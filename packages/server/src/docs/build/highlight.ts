import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import http from 'highlight.js/lib/languages/http';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import json from 'highlight.js/lib/languages/json';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import shell from 'highlight.js/lib/languages/shell';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import yaml from 'highlight.js/lib/languages/yaml';

const LANGUAGES = {
  ...{ bash, dockerfile, go, http, ini, java, json, php, python, ruby, sql, typescript, yaml },
  // A session: only its commands are a language.
  ...{ console: shell },
  ...{ sh: bash, js: typescript, mjs: typescript, ts: typescript, py: python, yml: yaml, nginx: ini },
};
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** Returns code as markup whose spans have classes. Text of an unknown language is only escaped. */
export function highlight(code: string, language: string): string {
  if (hljs.getLanguage(language)) return hljs.highlight(code, { language }).value;
  return code.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;' })[character] ?? '&gt;');
}

/** Name of a language for readers. */
export function languageName(language: string): string {
  const NAMES: Readonly<Record<string, string>> = {
    ...{ sh: 'Shell', bash: 'Shell', console: 'Shell', js: 'JavaScript', mjs: 'JavaScript', ts: 'TypeScript' },
    ...{ json: 'JSON', sql: 'SQL', http: 'HTTP', php: 'PHP', yaml: 'YAML', yml: 'YAML', py: 'Python', '': 'Text' },
  };
  return NAMES[language] ?? language.charAt(0).toUpperCase() + language.slice(1);
}
