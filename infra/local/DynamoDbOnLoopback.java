import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import software.amazon.dynamodb.services.local.main.ServerRunner;

/** Starts DynamoDB Local on 127.0.0.1 alone: by itself it listens on every interface, and no option says otherwise. */
public class DynamoDbOnLoopback {
  public static void main(String[] args) throws Exception {
    var proxy = ServerRunner.createServerFromCommandLineArgs(args);
    var field = proxy.getClass().getDeclaredField("server");
    field.setAccessible(true);
    for (var connector : ((Server) field.get(proxy)).getConnectors()) {
      ((ServerConnector) connector).setHost("127.0.0.1");
    }
    proxy.start();
    proxy.join();
  }
}
