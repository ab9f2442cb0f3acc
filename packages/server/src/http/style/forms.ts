/** Notices, dialogs, fields, empty states, lists of steps. */
export const FORMS = `/* Notice and dialog */
.notice { padding: var(--s3) var(--s4); border: 1px solid var(--quiet-line); border-radius: var(--r2); background: var(--sunken); }
.notice > h2, .notice > h3 { font-size: var(--t-md); line-height: 1.5; }
.notice > p { max-width: 46rem; color: var(--text-2); }
.notice > p + p, .notice > .actions, .notice > .kv { margin-top: var(--s2); }
.notice > .actions { margin-top: var(--s3); }
.notice .kv { max-width: 62rem; font-size: var(--t-md); }
.notice.bad { border-color: var(--bad-line); background: var(--bad-wash); }
.notice.bad > h2, .notice.bad > h3 { color: var(--bad); }
.notice.bad .kv dt, .notice.warn .kv dt { color: var(--text-2); }
.notice.warn { border-color: var(--warn-line); background: var(--warn-wash); }
.notice.warn > h2, .notice.warn > h3 { color: var(--warn); }
.notice.good { border-color: var(--good-line); background: var(--good-wash); }
.notice.good > h2, .notice.good > h3 { color: var(--good); }
.notice + .kv { margin-top: var(--s3); }
.head + .notice { margin-top: var(--s4); }
.dialog { max-width: 30rem; padding: var(--s5); border: 1px solid var(--line); border-radius: var(--r3); background: var(--raised); color: var(--text); box-shadow: var(--shadow); }
.dialog p { margin-top: var(--s2); color: var(--text-2); }
.dialog .actions { margin-top: var(--s5); justify-content: flex-end; }
.dialog .btn { background: var(--raised); }

/* Form fields */
.form { max-width: 32rem; }
.field { display: grid; gap: var(--s1); margin-top: var(--s4); }
.field label, .field legend { font-weight: 500; font-size: var(--t-sm); }
.input { width: 100%; height: var(--control); padding: 0 var(--s3); border: 1px solid var(--line-control); border-radius: var(--r2); background: var(--canvas); color: var(--text); font: inherit; }
select.input { padding-right: var(--s2); }
.hint { font-size: var(--t-sm); color: var(--text-3); }
.error { font-size: var(--t-sm); color: var(--bad); }
.input[aria-invalid="true"] { border-color: var(--bad); box-shadow: 0 0 0 1px var(--bad); }
.check { display: flex; gap: var(--s2); align-items: flex-start; min-height: 1.5rem; }
.check input { flex: none; width: 1rem; height: 1rem; margin: 0.1875rem 0 0; accent-color: var(--accent); }
.form .actions { margin-top: var(--s5); }

/* Empty state, checklist */
.empty { max-width: 40rem; padding: var(--s5) 0; }
.empty p { margin-top: var(--s1); color: var(--text-2); }
.empty .actions { margin-top: var(--s4); }
.steps li { position: relative; padding: 0 0 var(--s3) 1.75rem; font-size: var(--t-sm); }
.steps li::before { content: ""; position: absolute; left: 0; top: 0.125rem; width: 1rem; height: 1rem; border: 1.5px solid var(--line-control); border-radius: 50%; }
.steps li.done::before { border-color: var(--mark-good); background: var(--mark-good); }
.steps li.done::after { content: ""; position: absolute; left: 0.3125rem; top: 0.3125rem; width: 0.375rem; height: 0.5625rem; border: solid var(--canvas); border-width: 0 1.5px 1.5px 0; transform: rotate(45deg) scale(0.9); }
.steps b { display: block; font-weight: 500; }
.steps .muted, .steps time { display: block; }

/* Spacing helpers for the first element below a heading */
.section-kv { margin-top: var(--s3); }
.tabs-first { margin-top: 0; }
.tab-body { margin-top: var(--s4); }
.tab-head { align-items: center; }
.tab-head > .btn { margin-left: auto; font-size: var(--t-md); }
.stats-level { margin-top: var(--s5); }

/* Fields of several lines, lists of choices, texts to copy */
textarea.input { height: auto; min-height: 2.75rem; padding: var(--s2) var(--s3); resize: vertical; field-sizing: content; font-family: var(--mono); font-size: var(--t-sm); line-height: 1.6; }
textarea.input[readonly] { resize: none; background: var(--sunken); border-color: var(--line); }
.input[readonly] { background: var(--sunken); }
.input.one-time { height: 2.75rem; font: 1.25rem/1.4 var(--mono); letter-spacing: 0.1em; text-transform: uppercase; }
.checks { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); gap: var(--s2) var(--s5); margin-top: var(--s1); }
.checks code { display: block; line-height: 1.375rem; }
.form-wide, .form:has(.checks) { max-width: 56rem; }
.form > .field:first-child, .numbered .field { margin-top: 0; }
.bullets { padding-left: 1.15rem; list-style: disc; }
.bullets li { margin-top: var(--s1); }
.bullets li::marker { color: var(--text-3); }
.equal > * { flex: 1 1 10rem; }
.equal .btn { width: 100%; }
.item { padding: var(--s4) 0; border-top: 1px solid var(--line); }
.item > * + * { margin-top: var(--s2); }
.numbered { counter-reset: step; }
.numbered > li { counter-increment: step; display: grid; grid-template-columns: 1.5rem minmax(0, 46rem); gap: var(--s2); margin-top: var(--s4); }
.numbered > li::before { content: counter(step) "."; color: var(--text-3); }
.mail { padding: var(--s3); border: 1px solid var(--line); border-radius: var(--r2); background: var(--sunken); white-space: pre-wrap; overflow-wrap: anywhere; }
`;
