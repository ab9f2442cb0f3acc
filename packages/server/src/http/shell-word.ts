/** Quotes a text for a POSIX shell, unless it is plain: what others sent must not run when it is pasted. */
export function shellWord(text: string): string {
  return /^[\w./:*@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
