import { isOperationName } from '@plat/contract';
import { ERROR_REFERENCE } from '@plat/contract/error-reference';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import type { OpenApiDocument, Operation, Parameter, Ref, Response } from '../../openapi/openapi-document.ts';
import { blockMarkdown, inlineMarkdown } from './markdown.ts';
import { codeFigure, dataTable } from './markup.ts';
import { type Context, fieldList, fieldRow } from './schema-fields.ts';

/** An operation with its place. */
export interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** Shows an operation: parameters, body, response, errors and events on the left, code on the right. */
export function operationSection(context: Context, placed: Placed): Html {
  const { document, console } = context;
  const { method, path, operation } = placed;
  const { operationId, summary, description, requestBody, responses } = operation;
  const events = operation['x-emitted-events'] ?? [];
  // Events are links below.
  const words = description.split('\n\n').filter((paragraph) => !paragraph.startsWith('Can emit '));
  const content = requestBody ? Object.values(requestBody.content)[0] : undefined;
  const answer = successOf(responses)?.content?.['application/json'];
  return html`<section aria-labelledby="${operationId}"><h2 id="${operationId}">${summary}<a class="anchor" href="#${operationId}"><span class="sr">Link to ${summary}</span><span aria-hidden="true">#</span></a></h2>
<p class="op-line"><b>${method}</b> ${path}</p>
<div class="op-cols"><div>
${blockMarkdown(words.join('\n\n'))}
${events.length > 0 && html`<p>Can emit ${joined(events.map((type) => html`<a href="../events/#${type}"><code>${type}</code></a>`))}.</p>`}
${parameterLists(context, operation)}
${content && html`<h3>Body</h3>\n${fieldList(context, content.schema, 'request')}`}
${answer && html`<details><summary>Fields of the response</summary>\n${fieldList(context, answer.schema, 'answer')}</details>`}
${errorTable(context, operation)}
</div><div class="samples">
${(operation['x-codeSamples'] ?? []).map(({ lang, label, source }) => codeFigure(lang === 'Shell' ? 'sh' : 'ts', source, label))}
${console !== null && isOperationName(operationId) && html`<p><a href="${console}/explorer?operation=${operationId}">Open in the Explorer<span class="sr">: ${summary}</span></a></p>`}
${answer && exampleOf(document, answer.examples)}
</div></div></section>
`;
}

/** Shows the first example of a body. */
function exampleOf({ components }: OpenApiDocument, examples: Readonly<Record<string, Ref>>): HtmlValue {
  const name = Object.values(examples)[0]?.$ref.split('/').at(-1);
  const example = name === undefined ? undefined : components.examples[name];
  return example && codeFigure('json', JSON.stringify(example.value, null, 2), 'Response');
}

function successOf(responses: Operation['responses']): Response | undefined {
  const found = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  return found && !('$ref' in found) ? found : undefined;
}

const PLACES = { path: 'Path', query: 'Query', header: 'Headers' } as const;

function parameterLists(context: Context, { parameters = [] }: Operation): HtmlValue {
  const { components } = context.document;
  const all = parameters.flatMap((each): readonly Parameter[] => {
    if ('name' in each) return [each];
    const shared = components.parameters[each.$ref.split('/').at(-1) ?? ''];
    return shared ? [shared] : [];
  });
  return Object.entries(PLACES).map(([place, title]) => {
    const own = all.filter((parameter) => parameter.in === place);
    if (own.length === 0) return null;
    const rows = own.map(({ name, schema, required, description }) =>
      fieldRow(context, { name, json: schema, isRequired: required, description }),
    );
    return html`<h3>${title}</h3>\n<dl class="fields">\n${rows}</dl>\n`;
  });
}

function errorTable({ linkOf }: Context, operation: Operation): HtmlValue {
  const codes = operation['x-error-codes'] ?? [];
  if (codes.length === 0) return null;
  const rows = codes.map((code) => {
    const { cause, fix } = ERROR_REFERENCE[code];
    const link = html`<a href="../../errors/#${code}"><code>${code}</code></a>`;
    return [link, inlineMarkdown(cause, linkOf), inlineMarkdown(fix, linkOf)];
  });
  return html`<details><summary>Errors (${codes.length})</summary>${dataTable(['Code', 'Cause', 'Fix'], rows)}</details>`;
}

function joined(items: readonly Html[]): HtmlValue {
  return items.map((item, i) => html`${i > 0 && ', '}${item}`);
}
