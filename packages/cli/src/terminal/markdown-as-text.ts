/** Returns Markdown in one line as text for a terminal: links name their file below `docs/`, code has no backticks. */
export function markdownAsText(markdown: string): string {
  return linksAsFiles(markdown).replaceAll('`', '');
}

/** Returns Markdown with its links replaced by text and file. */
function linksAsFiles(markdown: string): string {
  return markdown.replace(/\[([^\]]+)\]\(([^)]+)\)/g, '$1 (docs/$2)');
}
