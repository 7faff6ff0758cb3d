# The server, in two stages: what builds is not in what runs. Runs as a user without rights, on a read-only file
# system, without network of its own. Python's patch version moves with the tag; pin it by digest where builds must
# be equal to the byte: --build-arg PYTHON_IMAGE=python@sha256:...
ARG PYTHON_IMAGE=python:3.12-slim-bookworm

FROM ${PYTHON_IMAGE} AS build
ENV PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /src
# Dependencies first: they change seldom, and their layer is kept when only the code changes
COPY requirements.txt ./
RUN python -m venv /opt/venv \
    && /opt/venv/bin/python -m pip install -r requirements.txt
COPY . ./
RUN /opt/venv/bin/python -m pip install --no-deps .

FROM ${PYTHON_IMAGE}
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="customs_env" \
      org.opencontainers.image.description="Indian import clearance as a reinforcement-learning environment" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /opt/venv /opt/venv
# Nothing is written but to /tmp, nothing is fetched
ENV PATH="/opt/venv/bin:${PATH}" \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    HOME=/tmp \
    HF_HUB_OFFLINE=1 \
    GRADIO_ANALYTICS_ENABLED=False \
    PORT=8000
WORKDIR /tmp
USER 65532:65532
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as u; u.urlopen('http://127.0.0.1:' + os.environ['PORT'] + '/health', timeout=3)"]
CMD ["python", "-m", "customs_env.server.app", "--host", "0.0.0.0"]
