import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { readConfig } from '@kungfu/service';
import { parse, parseAllDocuments } from 'yaml';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const base = join(root, 'k8s/base');
const services = [
  'agent-service',
  'gateway',
  'memory-service',
  'projector',
  'scheduler',
  'task-service',
  'thread-service',
];
/** The commands of apps/cli are run to their end before the services. */
const images = ['cli', ...services];

// biome-ignore lint/suspicious/noExplicitAny: documents of many shapes, whose fields are what is asserted
type Doc = any;
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const documents = (file: string): readonly Doc[] =>
  parseAllDocuments(readFileSync(join(base, file), 'utf8')).map((doc) => doc.toJS({ maxAliasCount: 100 }));
const kustomization = parse(read('k8s/base/kustomization.yaml')) as { resources: readonly string[] };
const all = kustomization.resources.flatMap(documents);
const ofKind = (kind: string): readonly Doc[] => all.filter((doc) => doc.kind === kind);
const named = (docs: readonly Doc[]): readonly string[] => docs.map((doc) => doc.metadata.name as string).sort();
const podsOf = (doc: Doc): readonly Doc[] => [
  ...(doc.spec.template.spec.initContainers ?? []),
  ...doc.spec.template.spec.containers,
];

describe('k8s/base', () => {
  it('lists every manifest but the example of the secret', () => {
    const files = readdirSync(base).filter((file) => !['kustomization.yaml', 'secret.example.yaml'].includes(file));
    expect([...kustomization.resources].sort()).toEqual(files.sort());
  });
  it('deploys every service there is, each with a service and a disruption budget', () => {
    expect(
      readdirSync(join(root, 'apps'))
        .filter((app) => !['cli', 'standalone'].includes(app))
        .sort(),
    ).toEqual(services);
    expect(named(ofKind('Deployment'))).toEqual(services);
    expect(named(ofKind('Service'))).toEqual([...services, 'gateway-admin'].sort());
    expect(named(ofKind('PodDisruptionBudget'))).toEqual(services);
  });
  it('selects the pods it means', () => {
    for (const { spec, metadata } of ofKind('Deployment')) {
      expect(spec.selector.matchLabels).toEqual(spec.template.metadata.labels);
      expect(spec.selector.matchLabels).toEqual({ 'app.kubernetes.io/name': metadata.name });
    }
    for (const { spec, metadata } of ofKind('Service'))
      expect(spec.selector).toEqual({ 'app.kubernetes.io/name': metadata.name.replace('-admin', '') });
    for (const { spec, metadata } of ofKind('PodDisruptionBudget'))
      expect(spec.selector.matchLabels).toEqual({ 'app.kubernetes.io/name': metadata.name });
  });
  it('probes and exposes the ports that the configuration says', () => {
    const settings = ofKind('ConfigMap')[0].data as Record<string, string>;
    const ports = {
      http: Number(settings['KUNGFU_PORT']),
      admin: Number(settings['KUNGFU_ADMIN_PORT']),
      health: Number(settings['KUNGFU_HEALTH_PORT']),
    };
    for (const deployment of ofKind('Deployment')) {
      const [container] = podsOf(deployment);
      const open = Object.fromEntries(container.ports.map((port: Doc) => [port.name, port.containerPort]));
      expect(open).toEqual(deployment.metadata.name === 'gateway' ? ports : { health: ports.health });
      expect(
        [container.startupProbe, container.livenessProbe, container.readinessProbe].map((probe) => probe.httpGet),
      ).toEqual([
        { path: '/health/live', port: 'health' },
        { path: '/health/live', port: 'health' },
        { path: '/health/ready', port: 'health' },
      ]);
    }
    for (const { spec } of ofKind('Service'))
      for (const port of spec.ports) expect(Object.keys(ports)).toContain(port.targetPort);
  });
  it('gives settings that are settings, and nothing secret', () => {
    const settings = ofKind('ConfigMap')[0].data as Record<string, string>;
    const secret = (parse(read('k8s/base/secret.example.yaml')) as { stringData: Record<string, string> }).stringData;
    const known = Object.keys(readConfig({ KUNGFU_ADMIN_TOKEN: '0123456789abcdef', KUNGFU_STORE_DIR: '/stores' }));
    expect(
      Object.keys({ ...settings, ...secret }).filter((name) => !known.includes(name) && !name.startsWith('KAFKAJS_')),
    ).toEqual([]);
    expect(readConfig({ ...settings, ...secret })).toMatchObject({ KUNGFU_LOG: 'kafka', KUNGFU_REPLICATION: 3 });
    expect(Object.keys(secret).filter((name) => name in settings)).toEqual([]);
  });
  it('bounds every container and gives it no rights, and names references that exist', () => {
    const sources = [
      { configMapRef: { name: ofKind('ConfigMap')[0].metadata.name } },
      { secretRef: { name: 'kungfu' } },
    ];
    for (const doc of [...ofKind('Deployment'), ...ofKind('Job')]) {
      const pod = doc.spec.template.spec;
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      const volumes = (pod.volumes ?? []).map((volume: Doc) => volume.name);
      for (const container of podsOf(doc)) {
        expect(container.envFrom).toEqual(sources);
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(container.resources).toEqual({
          requests: { cpu: expect.any(String), memory: expect.any(String) },
          limits: { memory: expect.any(String) },
        });
        expect((container.volumeMounts ?? []).map((mount: Doc) => mount.name)).toEqual(volumes);
      }
    }
  });
  it('runs images that the Dockerfile makes', () => {
    const used = [...ofKind('Deployment'), ...ofKind('Job')].flatMap(podsOf).map(({ image }) => image as string);
    expect([...new Set(used)].sort()).toEqual(images.map((name) => `kungfu/${name}:${version()}`).sort());
  });
});

const version = (): string => (JSON.parse(read('package.json')) as { version: string }).version;

describe('deploy/compose.yaml', () => {
  const compose = parse(read('deploy/compose.yaml'), { merge: true }) as {
    services: Record<string, Doc>;
    volumes: object;
  };

  it('runs every service, after tables and topics are made', () => {
    expect(Object.keys(compose.services).sort()).toEqual(
      [...services, 'kafka', 'migrate', 'postgres', 'topics'].sort(),
    );
    for (const name of services) {
      expect(compose.services[name].depends_on).toEqual({
        topics: { condition: 'service_completed_successfully' },
        migrate: { condition: 'service_completed_successfully' },
      });
    }
    for (const { depends_on = {} } of Object.values(compose.services))
      for (const other of Object.keys(depends_on)) expect(compose.services).toHaveProperty(other);
  });
  it('builds images of apps that exist, from files that exist', () => {
    for (const name of [...services, 'migrate', 'topics']) {
      const { build, image } = compose.services[name] as Doc;
      expect(existsSync(join(root, dirname('deploy/compose.yaml'), build.context, build.dockerfile))).toBe(true);
      expect(existsSync(join(root, 'apps', build.args.SERVICE, 'src/main.ts'))).toBe(true);
      expect(image).toBe(`kungfu/${build.args.SERVICE}:${version()}`);
    }
  });
  it('gives settings that are settings', () => {
    const { environment } = compose.services['gateway'] as Doc;
    const values = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)]));
    const config = readConfig({ ...values, KUNGFU_ADMIN_TOKEN: '0123456789abcdef' });
    expect(Object.keys(values).filter((name) => !(name in config))).toEqual([]);
    expect(config).toMatchObject({ KUNGFU_LOG: 'kafka', KAFKA_BROKERS: 'kafka:9092', KUNGFU_REPLICATION: 1 });
    expect(environment.KUNGFU_ADMIN_TOKEN).toMatch(/^\$\{KUNGFU_ADMIN_TOKEN:\?/);
  });
});
