/** Tokens of the pages: colours of both schemes, space, type and sizes. Text reaches a contrast of 4.5, outlines of fields 3. */
export const TOKENS = `/* Tokens */
:root {
  color-scheme: light dark;

  /* Surfaces */
  --canvas: #ffffff;
  --sunken: #f6f7f9;
  --raised: #ffffff;
  --hover: #f3f5f8;
  --selected: #eaf1fe;
  /* Lines: --line separates, --line-button outlines a labelled button, --line-control outlines a field (3:1) */
  --line: #e6e9ee;
  --line-button: #ccd2db;
  --line-control: #838c9b;
  /* Text */
  --text: #161a22;
  --text-2: #4a5362;
  --text-3: #5f6979;
  /* Roles: foreground, tint (badges), wash (notices), border of the wash */
  --accent: #1d52bd;
  --accent-hover: #16429b;
  --on-accent: #ffffff;
  --good: #17663a;
  --good-tint: #e8f5ed;
  --good-wash: #f6fbf8;
  --good-line: #b9dfc8;
  --warn: #7d4a00;
  --warn-tint: #fdf3e1;
  --warn-wash: #fefaf2;
  --warn-line: #ecd3a4;
  --bad: #b0241c;
  --bad-tint: #fdeeec;
  --bad-wash: #fff8f7;
  --bad-line: #f2c7c2;
  --quiet-tint: #eef0f3;
  --quiet-line: #d9dde4;
  /* Marks in charts and on the timeline: 3:1 against --canvas, except --mark-soft (chart bars; the figures are in text) */
  --mark: #7d8798;
  --mark-soft: #c3cad5;
  --mark-good: #2f8a57;
  --mark-bad: #d0362c;
  --shadow: 0 1px 2px rgb(16 24 40 / 6%), 0 8px 24px rgb(16 24 40 / 10%);

  /* Space: 4 px steps */
  --s1: 0.25rem;
  --s2: 0.5rem;
  --s3: 0.75rem;
  --s4: 1rem;
  --s5: 1.5rem;
  --s6: 2rem;
  --s7: 3rem;
  /* Type */
  --font: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "Roboto Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  --t-xs: 0.75rem;
  --t-sm: 0.8125rem;
  --t-md: 0.875rem;
  --t-lg: 1rem;
  --t-xl: 1.375rem;
  /* Radii */
  --r1: 4px;
  --r2: 6px;
  --r3: 10px;
  /* Layout */
  --nav: 13.5rem;
  --bar: 3.25rem;
  --edge: 2rem;
  --pane: 27rem;
  /* Height of buttons and fields */
  --control: 2rem;
}

@media (prefers-color-scheme: dark) {
  :root {
    --canvas: #0f1216;
    --sunken: #15191f;
    --raised: #181d24;
    --hover: #171c23;
    --selected: #17253f;
    --line: #242a33;
    --line-button: #3d4653;
    --line-control: #6b7687;
    --text: #e7eaef;
    --text-2: #b0b9c6;
    --text-3: #929dac;
    --accent: #8db4fa;
    --accent-hover: #b0cbfc;
    --on-accent: #0b1526;
    --good: #7bd3a0;
    --good-tint: #12261b;
    --good-wash: #111a16;
    --good-line: #23462f;
    --warn: #e8bd73;
    --warn-tint: #2a2112;
    --warn-wash: #1a1712;
    --warn-line: #4c3b1d;
    --bad: #ff9c94;
    --bad-tint: #2f1818;
    --bad-wash: #1c1315;
    --bad-line: #5a2a28;
    --quiet-tint: #20262f;
    --quiet-line: #333c48;
    --mark: #8390a2;
    --mark-soft: #465162;
    --mark-good: #4fb27d;
    --mark-bad: #ef6a60;
    --shadow: 0 1px 2px rgb(0 0 0 / 40%), 0 12px 32px rgb(0 0 0 / 50%);
  }
}

@media (max-width: 56rem) {
  :root { --edge: 1rem; }
}

/* Fingers need larger targets than a mouse. */
@media (pointer: coarse) {
  :root { --control: 2.75rem; }
}
`;
