# syntax=docker/dockerfile:1
# plat-server. Not built by the tests of this repository: they have no Docker engine.
#   docker build -t plat-server --build-arg COMMIT=$(git rev-parse HEAD) .

FROM node:24-bookworm-slim AS manifests
WORKDIR /app
# The workspaces' manifests alone: installs are done anew only when one of them changes.
COPY package.json package-lock.json .npmrc ./
COPY packages/contract/package.json packages/contract/
COPY packages/webhooks/package.json packages/webhooks/
COPY packages/launch-token/package.json packages/launch-token/
COPY packages/sdk/package.json packages/sdk/
COPY packages/cli/package.json packages/cli/
COPY packages/cli/bin packages/cli/bin
COPY packages/server/package.json packages/server/
COPY packages/server/bin packages/server/bin
COPY packages/testing/package.json packages/testing/
COPY tests/package.json tests/
COPY examples/launch-module/package.json examples/launch-module/
COPY examples/webhook-receiver/package.json examples/webhook-receiver/

FROM manifests AS build
RUN npm ci
COPY tsconfig.base.json tsconfig.json turbo.json ./
COPY packages packages
# By the compiler itself: turbo would want the whole repository.
RUN npx tsc -b packages/server && node packages/server/scripts/lay-viewer.mjs

FROM manifests AS dependencies
# The image has its own Node: the platform packages that bring one to a clone are left out.
RUN npm ci --omit=dev --omit=optional --workspace=@plat/server --include-workspace-root=false

FROM node:24-bookworm-slim
ARG COMMIT
ENV PLAT_COMMIT=$COMMIT NODE_ENV=production HOST=0.0.0.0 PORT=4010 PLAT_DATA_DIR=/data
WORKDIR /app
RUN mkdir /data && chown node:node /data
# Whole: npm puts what it cannot hoist below packages/.
COPY --from=dependencies /app ./
COPY --from=build /app/packages/contract/dist packages/contract/dist
COPY --from=build /app/packages/webhooks/dist packages/webhooks/dist
COPY --from=build /app/packages/server/dist packages/server/dist
USER node
VOLUME /data
EXPOSE 4010
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# The process itself is told to stop, not a shell or npm. A worker: the same with `worker` behind it, and PLAT_WORKER_PORT=4010.
CMD ["node", "packages/server/bin/plat-server.js"]
