/** Returns a table. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |');
  return [line(heading), `|${'---|'.repeat(heading.length)}`, ...rows.map(line)].join('\n');
}

/** Returns a block of code. */
export function fence(language: string, content: string): string {
  return `\`\`\`${language}\n${content}\n\`\`\``;
}

/** Escapes text for Markdown. */
export function text(words: string): string {
  return words.replace(/[<*|]/g, '\\$&');
}

/** Joins the parts of a page. */
export function page(parts: readonly string[]): string {
  return `${parts.join('\n\n')}\n`;
}
