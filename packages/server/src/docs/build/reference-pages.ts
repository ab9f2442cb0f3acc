import { isAppEventType, isEventType } from '@plat/contract';
import { type Html, html } from '../../http/html.ts';
import type { OpenApiDocument } from '../../openapi/openapi-document.ts';
import { relativeLink } from './addresses.ts';
import { blockMarkdown, type LinkOf, plainMarkdown } from './markdown.ts';
import { codeFigure, dataTable } from './markup.ts';
import { operationSection, type Placed } from './operation-section.ts';
import type { Section, SitePage } from './page.ts';
import { type Context, fieldList } from './schema-fields.ts';

const OVERVIEW = 'reference/';
const EVENTS = 'reference/events/';

/**
 * Returns the reference of the API: an overview, a page for each family, and one for the events.
 * @param console address of the console, absolute or relative to the root of the site
 * @param linksOn returns the links of texts of the contract on the page with this address
 */
export function referencePages(
  document: OpenApiDocument,
  console: string | null,
  linksOn: (address: string) => LinkOf,
): readonly SitePage[] {
  // Pages of families are all at one depth.
  const address = addressOf('family');
  const isRelative = console !== null && !/^[a-z]+:/.test(console);
  const context: Context = {
    document,
    console: isRelative ? relativeLink(address, '') + console : console,
    linkOf: linksOn(address),
  };
  const families = document.tags
    .map(({ name, description }) => ({ name, description, operations: operationsOf(document, name) }))
    .filter(({ operations }) => operations.length > 0);
  return [overview(document, families), ...families.map((family) => familyPage(context, family)), eventsPage(context)];
}

interface Family {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Placed[];
}

const addressOf = (family: string) => `${OVERVIEW}${family}/`;

function operationsOf({ paths }: OpenApiDocument, tag: string): readonly Placed[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

function overview(document: OpenApiDocument, families: readonly Family[]): SitePage {
  const lists = families.map(
    ({ name, description, operations }) =>
      html`<h2 id="${name}">${title(name)}</h2><p>${description}.</p>${operationTable(operations, `${name}/`)}`,
  );
  return {
    address: OVERVIEW,
    title: 'API reference',
    shortTitle: 'Overview',
    source: null,
    headings: families.map(({ name }) => ({ level: 2, anchor: name, text: title(name) })),
    sections: [{ anchor: null, title: 'API reference', text: plainMarkdown(document.info.description) }],
    body: html`${blockMarkdown(document.info.description)}
<p>The same as data: <a href="../openapi.json">openapi.json</a> (OpenAPI 3.1). What a delivery contains is in <a href="events/">Events</a>.</p>
${lists}`,
  };
}

function familyPage(context: Context, family: Family): SitePage {
  const { name, description, operations } = family;
  return {
    address: addressOf(name),
    title: title(name),
    source: null,
    isWide: true,
    headings: operations.map(({ operation }) => ({ level: 2, anchor: operation.operationId, text: operation.summary })),
    sections: operations.map(sectionOf),
    body: html`<p>${description}.</p>${operationTable(operations, '')}
${operations.map((placed) => operationSection(context, placed))}`,
  };
}

function sectionOf({ method, path, operation }: Placed): Section {
  const { operationId, summary, description } = operation;
  return {
    anchor: operationId,
    title: summary,
    text: `${method} ${path} ${operationId} ${plainMarkdown(description)}`,
  };
}

function operationTable(operations: readonly Placed[], page: string): Html {
  const rows = operations.map(({ method, path, operation: { operationId, summary } }) => [
    html`<a href="${page}#${operationId}">${summary}</a>`,
    html`<code>${method}</code>`,
    html`<code>${path}</code>`,
  ]);
  return dataTable(['Operation', 'Method', 'Path'], rows);
}

function eventsPage(context: Context): SitePage {
  const { document } = context;
  const { examples } = document.components;
  const events = Object.entries(document.webhooks).map(([type, { post }]) => {
    const content = post.requestBody && Object.values(post.requestBody.content)[0];
    const name = content && Object.values(content.examples)[0]?.$ref.split('/').at(-1);
    const value = name === undefined ? undefined : examples[name]?.value;
    return { type, summary: post.summary, content, value };
  });
  const tableOf = (isListed: (type: string) => boolean) => {
    const rows = events.filter(({ type }) => isListed(type));
    return dataTable(
      ['Type', 'Fires when'],
      rows.map(({ type, summary }) => [html`<a href="#${type}"><code>${type}</code></a>`, html`${summary}`]),
    );
  };
  const sections = events.map(
    ({
      type,
      summary,
      content,
      value,
    }) => html`<section aria-labelledby="${type}"><h2 id="${type}"><code>${type}</code></h2>
<div class="op-cols"><div><p>${summary}</p>
${content && html`<details><summary>Fields of the event</summary>${fieldList(context, content.schema, 'answer')}</details>`}</div>
<div class="samples">${value !== undefined && codeFigure('json', JSON.stringify(value, null, 2), 'Body of the request')}</div></div></section>
`,
  );
  return {
    address: EVENTS,
    title: 'Events',
    source: null,
    isWide: true,
    headings: events.map(({ type }) => ({ level: 2, anchor: type, text: type })),
    sections: events.map(({ type, summary }) => ({ anchor: type, title: type, text: summary })),
    body: html`<p>An event is sent to each endpoint of the tenant that subscribes to its type. <a href="../../webhooks/">Webhooks</a> explains signatures,
retries and verification. Every request has the headers <code>X-Platform-Event</code>, <code>X-Platform-Event-Id</code>,
<code>X-Platform-Delivery-Id</code> and <code>X-Platform-Signature</code>.</p>
${tableOf(isEventType)}
<p>The endpoints of an app receive the events of the app: <a href="../../app-webhooks/">Webhooks of an app</a>.</p>
${tableOf(isAppEventType)}
${sections}`,
  };
}

/** `well-known` → `Well-known`. */
function title(name: string): string {
  const NAMES: Readonly<Record<string, string>> = { oauth: 'OAuth', me: 'Credential', 'well-known': 'Metadata' };
  return NAMES[name] ?? name.charAt(0).toUpperCase() + name.slice(1);
}
