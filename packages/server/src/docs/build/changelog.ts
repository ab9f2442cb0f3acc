import type { Repository } from './repository.ts';

/** Returns the Markdown of all changes: those that the next release brings, and the changelog of the packages' one version. */
export function changelogText(repository: Repository): string {
  const pending = repository.changesets.map((path) => {
    const [, text = ''] = /^---\n[\s\S]*?\n---\n([\s\S]*)$/.exec(repository.read(path)) ?? [];
    return `- ${text.trim().replaceAll('\n', '\n  ')}\n`;
  });
  const released = repository.changelogs.map((path) => repository.read(path).replace(/^# .*\n/, ''));
  return `# Changelog

All packages share one version. Within \`/v1\` nothing is renamed or taken away.

${pending.length === 0 ? '' : `## Next release\n\n${pending.join('')}\n`}${released.join('\n')}`;
}
