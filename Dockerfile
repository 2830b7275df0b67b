# Builds in one stage and runs, without the tools, in the other. One commit gives one image: the base has its digest, and
# every package the version and hash of deploy/*.lock (`make lock` writes them anew).
FROM python:3.13-slim@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b AS build
WORKDIR /src
COPY deploy/build.lock deploy/requirements.lock ./deploy/
RUN python -m venv /opt/damero \
    && /opt/damero/bin/pip install --no-cache-dir --no-compile --require-hashes --requirement deploy/requirements.lock \
    && pip install --no-cache-dir --require-hashes --requirement deploy/build.lock
COPY pyproject.toml README.md LICENSE ./
COPY bot ./bot
COPY render ./render
COPY data ./data
RUN pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir /wheels . \
    && /opt/damero/bin/pip install --no-cache-dir --no-compile --no-deps /wheels/damero-*.whl \
    && /opt/damero/bin/python -m compileall -q /opt/damero/lib \
    && /opt/damero/bin/damero endgames --folder /opt/damero/share/damero/endgames \
    && for game in spanish pinoy americanas; do \
         /opt/damero/bin/damero endgames "$game" --pieces 5 --folder /opt/damero/share/damero/endgames || exit 1; \
       done

FROM python:3.13-slim@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b
RUN groupadd --gid 10001 damero \
    && useradd --uid 10001 --gid damero --no-create-home --home-dir /data --shell /usr/sbin/nologin damero \
    && install --directory --owner damero --group damero /data
COPY --from=build /opt/damero /opt/damero
ENV PATH=/opt/damero/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    DATABASE_URL=sqlite+aiosqlite:////data/damero.sqlite3 \
    LOG_FORMAT=json \
    HEALTH_PORT=8085
WORKDIR /data
VOLUME /data
USER 10001:10001
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 CMD ["damero", "health"]
CMD ["damero", "run"]
