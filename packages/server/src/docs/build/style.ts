import { STYLE } from '../../http/style.ts';

/** The style sheet of the site: that of the console, and what running text needs. */
export const SITE_STYLE = `${STYLE}
/* Documentation */
.docs { --nav: 17rem; grid-template-columns: var(--nav) minmax(0, 1fr); }
.docs .nav-group { margin-top: var(--s2); }
.docs .nav-label { display: flex; align-items: center; min-height: 1.75rem; padding: 0 var(--s2); font-size: var(--t-sm); font-weight: 600; color: var(--text); border-radius: var(--r2); }
.docs summary.nav-label { justify-content: space-between; list-style: none; }
.docs summary.nav-label::-webkit-details-marker { display: none; }
.docs summary.nav-label::after { content: ""; width: 0.375rem; height: 0.375rem; border: solid var(--text-3); border-width: 0 1.5px 1.5px 0; transform: rotate(-45deg); }
.docs [open] > summary.nav-label::after { transform: translateY(-2px) rotate(45deg); }
.docs summary.nav-label:hover { background: var(--quiet-tint); }
.docs .nav-link { font-size: var(--t-sm); line-height: 1.35; padding-block: 0.1875rem; min-height: 1.75rem; overflow-wrap: anywhere; }
.nav-below { margin-left: var(--s3); border-left: 1px solid var(--line); padding-left: var(--s1); }
.doc { display: grid; grid-template-columns: minmax(0, 46rem) minmax(0, 14rem); gap: var(--s7); max-width: 66rem; margin: 0 auto; align-items: start; }
.wide-doc { grid-template-columns: minmax(0, 1fr); max-width: 74rem; gap: 0; }
.wide-doc > .toc, .wide-doc > div:empty { display: none; }
.toc { position: sticky; top: calc(var(--bar) + var(--s4)); max-height: calc(100vh - var(--bar) - var(--s6)); overflow-y: auto; font-size: var(--t-sm); }
.toc .nav-label { padding: 0; }
.toc a { display: block; padding: 0.1875rem 0; color: var(--text-2); text-decoration: none; overflow-wrap: anywhere; }
.toc a:hover { color: var(--text); text-decoration: underline; }
.toc .sub { padding-left: var(--s3); }
.prose { font-size: 0.9375rem; line-height: 1.65; }
.prose h1 { font-size: 1.75rem; margin-bottom: var(--s4); }
.prose h2 { font-size: 1.25rem; margin-top: var(--s6); padding-top: var(--s4); border-top: 1px solid var(--line); }
.prose h3 { font-size: 1.0625rem; margin-top: var(--s5); }
.prose h4 { font-size: var(--t-md); margin-top: var(--s4); }
.prose :is(p, ul, ol, .code, .doc-table, blockquote, details, dl) { margin-top: var(--s3); }
.prose ul { list-style: disc; padding-left: 1.25rem; }
.prose ol { list-style: decimal; padding-left: 1.5rem; }
.prose li { margin-top: var(--s1); }
.prose li > :is(p, ul, ol) { margin-top: var(--s1); }
.prose img { max-width: 100%; height: auto; }
.prose blockquote { padding-left: var(--s3); border-left: 3px solid var(--quiet-line); color: var(--text-2); }
.prose :not(pre) > code { padding: 0.0625rem 0.25rem; border-radius: var(--r1); background: var(--quiet-tint); }
.prose a > code, .prose h1 code, .prose h2 code { background: none; padding: 0; }
.prose .code pre { font-size: var(--t-sm); }
.prose pre code { display: block; font-size: 1em; }
.anchor { margin-left: var(--s2); color: var(--text-3); text-decoration: none; font-weight: 400; opacity: 0; }
:is(h2, h3, h4):hover > .anchor, .anchor:focus-visible { opacity: 1; }
.doc-table { width: 100%; border-collapse: collapse; font-size: var(--t-sm); line-height: 1.5; }
.doc-table :is(th, td) { padding: var(--s2) var(--s3) var(--s2) 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.doc-table th { color: var(--text-3); font-weight: 500; overflow-wrap: normal; }
.doc-table .num { text-align: right; }
.doc-foot { margin-top: var(--s7); padding-top: var(--s4); border-top: 1px solid var(--line); font-size: var(--t-sm); }
.turn { display: flex; flex-wrap: wrap; justify-content: space-between; gap: var(--s3); margin-top: var(--s3); }
.turn a { text-decoration: none; font-weight: 500; }
.turn a[rel="next"] { margin-left: auto; text-align: right; }
.turn span { display: block; font-size: var(--t-xs); font-weight: 400; color: var(--text-3); }
/* Start page: the first section is a band, sections with code are cards, the others are lists */
.home { display: grid; grid-template-columns: repeat(6, minmax(0, 1fr)); gap: var(--s4); }
.home > :is(h1, p, .doc-foot) { grid-column: 1 / -1; margin: 0; }
.home > h1 { font-size: 2.125rem; letter-spacing: -0.02em; }
.prose.home > p { max-width: 46rem; margin-top: calc(-1 * var(--s2)); font-size: 1.0625rem; color: var(--text-2); }
.home > section { grid-column: span 2; min-width: 0; }
.home > section:not(:has(> .code)) { margin-top: var(--s4); }
.home > section:has(> .code) { display: flex; flex-direction: column; grid-column: span 3; padding: var(--s4); border: 1px solid var(--line); border-radius: var(--r3); background: var(--raised); }
.home > section:first-of-type { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: 0 var(--s6); grid-template-rows: auto auto 1fr; grid-column: 1 / -1; background: var(--sunken); }
.prose.home > section:first-of-type > .doc-table { grid-column: 2; grid-row: 1 / -1; margin-top: 0; }
.home td:not(:last-child) { white-space: nowrap; }
.home > section:first-of-type .code { background: var(--canvas); }
.home .code pre { font-size: var(--t-xs); }
.home > section:first-of-type pre { font-size: var(--t-lg); }
.home > section:first-of-type tr:last-child td { border: 0; }
.home section > h2 { margin: 0; padding: 0; border: 0; }
.home section:not(:has(> .code)) > h2 { font-size: var(--t-lg); }
.home section > p { font-size: var(--t-md); color: var(--text-2); }
.home h2 + p > em { font-style: normal; font-size: var(--t-sm); font-weight: 600; color: var(--accent); }
.prose.home h2 + p:has(> em) { order: -1; margin: 0 0 var(--s1); }
.home section > ul { margin-top: var(--s3); padding: 0; list-style: none; font-size: var(--t-md); line-height: 1.5; }
.home section > .code + ul { margin-top: auto; padding-top: var(--s4); }
.home section:has(> .code) li { padding-block: var(--s1); color: var(--text-2); }
.home section:has(> .code) li > a { font-weight: 500; }
/* Code: few colours, each readable on the ground of a block */
.hljs-comment, .hljs-quote, .hljs-meta { color: var(--text-3); }
.hljs-keyword, .hljs-literal, .hljs-built_in, .hljs-attr, .hljs-section, .hljs-variable { color: var(--accent); }
.hljs-string, .hljs-regexp, .hljs-subst, .hljs-addition { color: var(--good); }
.hljs-number, .hljs-symbol, .hljs-deletion { color: var(--warn); }
/* Search */
.found { position: absolute; top: calc(100% + var(--s1)); left: 0; right: 0; max-height: min(32rem, 70vh); overflow-y: auto; background: var(--raised); border: 1px solid var(--line); border-radius: var(--r3); box-shadow: var(--shadow); padding: var(--s1); }
.found > p { padding: var(--s2) var(--s3); color: var(--text-2); }
.hits { margin: 0; }
.found .hits a { display: block; padding: var(--s2) var(--s3); border-radius: var(--r2); text-decoration: none; }
.found .hits a:is(:hover, :focus-visible) { background: var(--hover); }
.hits b { font-weight: 600; color: var(--text); }
.hits span { display: block; color: var(--text-3); font-size: var(--t-sm); }
#results .hits { list-style: none; padding: 0; }
#results .hits li { margin-top: var(--s4); }
/* Reference */
.op-cols { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 27rem); gap: var(--s6); align-items: start; }
.op-line { font-family: var(--mono); font-size: var(--t-sm); overflow-wrap: anywhere; }
.op-line b { color: var(--accent); }
.fields { margin: 0; border-top: 1px solid var(--line); }
.fields > dt { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 var(--s2); padding-top: var(--s2); font-size: var(--t-sm); }
.fields > dt span { color: var(--text-3); font-size: var(--t-xs); }
.fields > dt .must { color: var(--warn); }
.fields > dd { padding-bottom: var(--s2); border-bottom: 1px solid var(--line); font-size: var(--t-sm); line-height: 1.5; color: var(--text-2); }
.fields .fields { margin: var(--s2) 0 0 var(--s3); }
.samples .code:first-child { margin-top: 0; }
@media (max-width: 80rem) {
  .doc { grid-template-columns: minmax(0, 46rem); gap: 0; }
  .toc { display: none; }
}
@media (max-width: 70rem) {
  .home > section:has(> .code) { grid-column: 1 / -1; }
  .home > section:first-of-type { grid-template-columns: minmax(0, 1fr); }
  .prose.home > section:first-of-type > .doc-table { grid-column: 1; grid-row: auto; margin-top: var(--s3); }
  .op-cols { grid-template-columns: minmax(0, 1fr); gap: var(--s4); }
}
@media (max-width: 56rem) {
  .prose h1, .home > h1 { font-size: 1.5rem; }
  .home > section { grid-column: 1 / -1; }
  .prose.home > p { font-size: var(--t-lg); }
  .home .doc-table tr:last-child { border: 0; }
  .home .doc-table td:not(:last-child) { display: inline-block; margin-right: var(--s2); }
  .home .doc-table td:not(:first-child)::before { content: none; }
  .anchor { display: none; }
  .doc-table, .doc-table :is(tbody, tr, td) { display: block; }
  .doc-table thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .doc-table tr { padding: var(--s2) 0; border-bottom: 1px solid var(--line); }
  .doc-table td { padding: var(--s1) 0; border: 0; text-align: left; }
  .doc-table td:first-child { font-weight: 600; }
  .doc-table td:not(:first-child)::before { content: attr(data-label); display: block; font-size: var(--t-xs); color: var(--text-3); }
}
`;
