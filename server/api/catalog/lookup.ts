import { z } from 'zod'
import type { Flavor, Image } from '../../engine/demand'
import { listFlavors, listImages } from '../../store/catalog/list'
import { readSetting } from '../../store/catalog/policy'
import { refuseUnknown } from '../refusal/refused'
import type { ApiServices } from '../services'

// Flavors and images by name. Berth is no image service: it knows images that an operator entered, those in use, and
// those for which LIBVIRT_MACHINES has a domain definition.

const imageSetting = z.array(z.object({ name: z.string(), properties: z.record(z.string(), z.string()) }))

type ImageSources = Pick<ApiServices, 'database' | 'machineImages'>

export async function imagesOf({ database, machineImages }: ImageSources): Promise<readonly Image[]> {
  const [used, set, machines] = await Promise.all([
    listImages(database),
    readSetting(database, 'images'),
    machineImages?.() ?? [],
  ])
  const named = new Map<string, Image>(machines.map((name) => [name, { name, properties: {} }]))
  for (const image of used) named.set(image.name, image)
  for (const image of imageSetting.safeParse(set).data ?? []) named.set(image.name, image)
  return [...named.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

export async function findFlavor({ database }: Pick<ApiServices, 'database'>, name: string): Promise<Flavor> {
  const flavors = await listFlavors(database)
  return flavors.find((flavor) => flavor.name === name) ?? refuseUnknown('flavor', name)
}

export async function findImage(services: ImageSources, name: string): Promise<Image> {
  const images = await imagesOf(services)
  return images.find((image) => image.name === name) ?? refuseUnknown('image', name)
}

/** In sequence, so that of two unknown names always the same one is reported. */
export async function findBoth(
  services: ImageSources,
  { flavor, image }: { readonly flavor: string; readonly image: string },
): Promise<{ readonly flavor: Flavor; readonly image: Image }> {
  return { flavor: await findFlavor(services, flavor), image: await findImage(services, image) }
}
