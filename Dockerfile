# plat-server, without a shell or a package manager. tests/containers builds and runs it.
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
COPY examples/ci-pipeline/package.json examples/ci-pipeline/
COPY examples/express-oauth-app/package.json examples/express-oauth-app/
COPY examples/launch-module/package.json examples/launch-module/
COPY examples/many-tenants/package.json examples/many-tenants/
COPY examples/nextjs-saas/package.json examples/nextjs-saas/
COPY examples/sync-worker/package.json examples/sync-worker/
COPY examples/webhook-receiver/package.json examples/webhook-receiver/
COPY examples/worker-receiver/package.json examples/worker-receiver/

FROM manifests AS build
RUN npm ci --workspace=@plat/server --include-workspace-root
COPY tsconfig.base.json tsconfig.json turbo.json ./
COPY scripts/build-package.mjs scripts/
COPY packages packages
COPY examples examples
COPY docs docs
COPY .changeset .changeset
COPY *.md ./
# In the order of their dependencies: turbo would want the whole repository.
RUN npm run build --workspace=@plat/contract \
  && npm run build --workspace=@plat/webhooks \
  && npm run build --workspace=@plat/server

FROM manifests AS dependencies
# The image has its own Node: the platform packages that bring one to a clone are left out.
RUN npm ci --omit=dev --omit=optional --workspace=@plat/server --include-workspace-root=false

# Files that only people and compilers read.
RUN find node_modules packages -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.md' \) -delete

# Node.js with the libraries that it loads, an unprivileged user, and the folders that the server writes to.
FROM node:24-bookworm-slim AS runtime
RUN mkdir -p /runtime/etc /runtime/data /runtime/tmp \
  && cp --parents --dereference /usr/local/bin/node $(ldd /usr/local/bin/node | grep -o '/[^ ]*') /runtime \
  && grep -E '^(root|node):' /etc/passwd > /runtime/etc/passwd \
  && grep -E '^(root|node):' /etc/group > /runtime/etc/group \
  && echo 'hosts: files dns' > /runtime/etc/nsswitch.conf \
  && chown node:node /runtime/data && chmod 1777 /runtime/tmp

FROM scratch
COPY --from=runtime /runtime /
ARG COMMIT
ENV PLAT_COMMIT=$COMMIT NODE_ENV=production HOST=0.0.0.0 PORT=4010 PLAT_DATA_DIR=/data PATH=/usr/local/bin
WORKDIR /app
# Whole: npm puts what it cannot hoist below packages/.
COPY --from=dependencies /app ./
COPY --from=build /app/packages/contract/dist packages/contract/dist
COPY --from=build /app/packages/webhooks/dist packages/webhooks/dist
COPY --from=build /app/packages/server/dist packages/server/dist
USER node
VOLUME /data
EXPOSE 4010
# node:http starts in less than half of the CPU time of fetch.
HEALTHCHECK --interval=10s --timeout=10s --start-period=60s \
  CMD ["node", "-e", "http.get(`http://127.0.0.1:${process.env.PORT}/livez`, (r) => process.exit(r.statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
# SIGTERM reaches the server itself, not a shell or npm. A worker is the same with `worker` behind it, and PLAT_WORKER_PORT=4010.
CMD ["node", "packages/server/bin/plat-server.js"]
