import type { Template } from 'aws-cdk-lib/assertions';

type Resources = ReturnType<Template['findResources']>;

const known = new WeakMap<Template, Map<string, Resources>>();

/** The resources of a type by their ids. CDK copies the whole template at each call, so it is called once. */
export function resourcesOf(template: Template, type: string): Resources {
  const its = known.get(template) ?? new Map<string, Resources>();
  known.set(template, its);
  const resources = its.get(type) ?? template.findResources(type);
  its.set(type, resources);
  return resources;
}
