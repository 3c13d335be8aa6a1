import { CfnOutput, Stack } from 'aws-cdk-lib';
import {
  BasePathMapping,
  DomainName,
  EndpointType,
  SecurityPolicy,
  type SpecRestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Construct } from 'constructs';

/** A domain of the operator's own, and its certificate, of the region of the stage. */
export interface ChosenDomain {
  readonly name: string;
  readonly certificateArn: string;
}

interface OwnDomainProps extends ChosenDomain {
  readonly gateway: SpecRestApi;
}

/** The domain under which a stage is reached, and under which alone. Its DNS is the operator's. */
export class OwnDomain extends Construct {
  constructor(scope: Construct, id: string, { name, certificateArn, gateway }: OwnDomainProps) {
    super(scope, id);
    const domain = new DomainName(this, 'Name', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
    new BasePathMapping(this, 'Mapping', {
      domainName: domain,
      restApi: gateway,
      stage: gateway.deploymentStage,
    });
    new CfnOutput(Stack.of(this), 'DomainTarget', { value: domain.domainNameAliasDomainName });
  }
}
