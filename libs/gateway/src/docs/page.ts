import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { llmsText } from './llms.ts';
import type { OpenApi } from './openapi.ts';

/** The document at /openapi.json, what a model needs to begin at /llms.txt, and a page for people at /docs; every asset comes from here, none from elsewhere. */
export const serveDocs = (app: NestFastifyApplication, document: OpenApi): void => {
  const fastify = app.getHttpAdapter().getInstance() as FastifyInstance;
  const text = llmsText();
  fastify.get('/llms.txt', (_request, reply) => reply.type('text/plain; charset=utf-8').send(text));
  SwaggerModule.setup('docs', app, document as unknown as OpenAPIObject, {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: 'Kungfu',
  });
};
