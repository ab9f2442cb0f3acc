import type { ReceiverReport } from '@plat/contract/conformance';

/** Returns the report as JUnit XML, which CI systems read. */
export function junitReport({ url, passed, failed, skipped, cases }: ReceiverReport): string {
  const seconds = (ms: number): string => (ms / 1000).toFixed(3);
  const total = seconds(cases.reduce((sum, { durationMs }) => sum + durationMs, 0));
  const tests = cases.map(({ name, title, outcome, problem, advice, note, durationMs }) => {
    const result =
      outcome === 'failed'
        ? `<failure message="${xml(problem ?? '')}">${xml(advice ?? '')}</failure>`
        : outcome === 'skipped'
          ? `<skipped message="${xml(note ?? '')}"/>`
          : '';
    return `    <testcase classname="receiver.${xml(name)}" name="${xml(title)}" time="${seconds(durationMs)}">${result}</testcase>\n`;
  });
  const counts = `tests="${passed + failed + skipped}" failures="${failed}" skipped="${skipped}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites ${counts} time="${total}">
  <testsuite name="${xml(`receiver ${url}`)}" ${counts} errors="0" time="${total}">
${tests.join('')}  </testsuite>
</testsuites>
`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for XML 1.0, which has no other control characters than tab and line breaks. */
function xml(text: string): string {
  return text
    .replace(/[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
