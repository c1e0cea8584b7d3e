# One image for every process of the service; the command says which. Node runs the sources as they are: no build step.
FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

ENV NODE_ENV=production
# glibc keeps a heap for every thread; with two the worker takes 70 MB less.
ENV MALLOC_ARENA_MAX=2
WORKDIR /app

COPY package.json package-lock.json ./
# Nothing that is needed here has an install script, so none may run.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && npm cache clean --force

COPY domain ./domain
COPY db ./db
COPY adapters ./adapters
COPY workflows ./workflows
COPY commands ./commands
COPY activities ./activities
COPY sending ./sending
COPY api ./api
COPY docs-site ./docs-site
COPY pages ./pages
COPY dashboard ./dashboard
COPY docs ./docs
COPY admin ./admin
COPY worker ./worker
# The workers' script is made here, once: a container writes nothing beside its packages.
RUN node worker/bundle/cache-bundle-main.ts

# The sources stay root's; the service may write only its recordings, and jobs what belongs to the storage and the proxy.
# 999 is the account of PostgreSQL's image.
RUN cd /var/lib && mkdir -p clinic/recordings clinic/storage-accounts clinic/proxy clinic/backups && chown node:node clinic/* && chown 999:999 clinic/backups
VOLUME /var/lib/clinic/recordings

USER node
EXPOSE 3000
CMD ["node", "api/main.ts"]
