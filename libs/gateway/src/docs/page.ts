import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { OpenApi } from './openapi.ts';

/** The document at /openapi.json and a page for people at /docs; every asset comes from here, none from elsewhere. */
export const serveDocs = (app: NestFastifyApplication, document: OpenApi): void => {
  SwaggerModule.setup('docs', app, document as unknown as OpenAPIObject, {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: 'Kungfu',
  });
};
