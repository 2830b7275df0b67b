# Builds the wheels in one stage and installs them, without the tools, in the other.
FROM python:3.13-slim AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY bot ./bot
COPY render ./render
COPY data ./data
RUN python -m venv /opt/damero \
    && /opt/damero/bin/pip install --no-cache-dir --no-compile '.[fast]' \
    && /opt/damero/bin/python -m compileall -q /opt/damero/lib \
    && /opt/damero/bin/damero endgames --folder /opt/damero/share/damero/endgames

FROM python:3.13-slim
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
