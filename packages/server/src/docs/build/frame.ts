import { type Html, type HtmlValue, html } from '../../http/html.ts';
import { MAX_QUERY_LENGTH, RESULTS_PLACE } from '../search-page.ts';
import { relativeLink } from './addresses.ts';
import { inSections, trusted } from './markup.ts';
import type { NavEntry, NavGroup } from './navigation.ts';
import type { Heading, SitePage } from './page.ts';

/** Files of the site that every page loads, by their addresses. */
export interface SiteFiles {
  readonly style: string;
  readonly script: string;
  readonly search: string;
  readonly icon: string;
}

interface Frame {
  readonly page: SitePage;
  readonly groups: readonly NavGroup[];
  readonly files: SiteFiles;
  readonly previous: SitePage | undefined;
  readonly next: SitePage | undefined;
  /** Link to the source of the page; null if it was made from other sources. */
  readonly editLink: string | null;
}

/** Returns a complete page: navigation, search box, text, table of contents. It works without script. */
export function framed({ page, groups, files, previous, next, editLink }: Frame): Html {
  const link = (to: string) => relativeLink(page.address, to);
  const { title, body, headings, isWide = false } = page;
  const isHome = page.address === '';
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${isHome ? title : html`${title} – Plat`}</title>
<link rel="stylesheet" href="${link(files.style)}">
<link rel="icon" type="image/svg+xml" href="${link(files.icon)}">
<script src="${link(files.script)}" defer></script>
<script src="${link(files.search)}" type="module"></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<div class="shell docs">
${navigation(groups, page, link)}
<div>
<header class="bar">
<a class="menu-button" href="#nav">Menu</a>
<form class="jump" role="search" action="${link('search/')}" method="get"><label class="sr" for="jump">Search the documentation</label><input id="jump" name="q" type="search" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="Search" maxlength="${MAX_QUERY_LENGTH}"><kbd aria-hidden="true">/</kbd><div class="found" id="found" role="region" aria-label="Search results" aria-live="polite" data-root="${link('')}" hidden></div></form>
</header>
<main class="main" id="main" tabindex="-1"><div class="doc${(isWide || isHome) && ' wide-doc'}">
<article class="prose${isHome && ' home'}"><h1>${title}</h1>
${isHome ? inSections(body) : body}
<footer class="doc-foot">${editLink !== null && html`<p><a href="${editLink}">Edit this page</a></p>`}
<nav class="turn" aria-label="Previous and next page">${previous && html`<a rel="prev" href="${link(previous.address)}"><span>Previous</span> ${nameOf(previous)}</a>`}${next && html`<a rel="next" href="${link(next.address)}"><span>Next</span> ${nameOf(next)}</a>`}</nav></footer>
</article>
${onThisPage(headings)}</div></main>
</div>
</div>
</body>
</html>
`;
}

/** The page of the search. Without script, the server fills it in; a static host needs the script. */
export const SEARCH_PAGE: SitePage = {
  address: 'search/',
  title: 'Search',
  body: html`<div id="results" aria-live="polite">${trusted(RESULTS_PLACE)}</div>`,
  headings: [],
  sections: [],
  source: null,
};

function navigation(groups: readonly NavGroup[], page: SitePage, link: (to: string) => string): Html {
  const shown = groups.map(({ title, entries }) => {
    const isHere = entries.some(({ page: own, below }) => own === page || below.includes(page));
    return html`<details class="nav-group"${isHere && html` open`}><summary class="nav-label">${title}</summary><ul>
${entries.map((entry) => navEntry(entry, page, link))}</ul></details>
`;
  });
  return html`<nav class="nav" id="nav" aria-label="Documentation">
<div class="nav-head"><a class="brand" href="${link('')}">Plat docs</a><a class="nav-close" href="#main">Close menu</a></div>
${shown}</nav>`;
}

function navEntry({ page: own, below }: NavEntry, page: SitePage, link: (to: string) => string): Html {
  const entry = (each: SitePage, inner: HtmlValue = null) =>
    html`<li><a class="nav-link" href="${link(each.address)}"${each === page && html` aria-current="page"`}>${nameOf(each)}</a>${inner}</li>
`;
  const isOpen = below.length > 0 && (own === page || below.includes(page));
  return entry(own, isOpen && html`<ul class="nav-below">${below.map((each) => entry(each))}</ul>`);
}

function onThisPage(headings: readonly Heading[]): HtmlValue {
  const shown = headings.filter(({ level }) => level <= 3);
  if (shown.length < 2) return html`<div></div>`;
  return html`<nav class="toc" aria-label="On this page"><p class="nav-label">On this page</p><ul>
${shown.map(({ anchor, level, text }) => html`<li${level === 3 && html` class="sub"`}><a href="#${anchor}">${text}</a></li>\n`)}</ul></nav>`;
}

function nameOf({ title, shortTitle }: SitePage): string {
  return shortTitle ?? title;
}
